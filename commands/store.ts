/** `npm run store`: inspects, indexes, verifies, repairs, backs up and moves stored faces. */
import { resolve } from 'node:path'
import { readConfiguration } from '../core/configuration/environment.ts'
import { writeOperation } from '../core/metadata/audit-log/operator-entries.ts'
import { backup, restore } from './store/backups.ts'
import { compact, index, stat } from './store/galleries.ts'
import type { StoreCommand } from './store/options.ts'
import { repair } from './store/repair.ts'
import { exportTo, importFrom, requireCells } from './store/transfer.ts'
import { verify } from './store/verify.ts'
import { runCommand } from './terminal/command-line.ts'
import { requireRunningService } from './terminal/data-folder.ts'
import { dataKeyOf } from './terminal/data-key.ts'
import { databaseGiven, metadataOf } from './terminal/metadata.ts'
import { dataFolder } from './terminal/paths.ts'

const USAGE = `npm run store -- COMMAND [options]

Inspects, indexes, verifies, repairs, backs up and moves stored faces.

Commands:
  stat            List galleries and their numbers of vectors.
  index GALLERY   Build the gallery's index, and wait for it.
  verify          Check every checksum, and that all parts agree.
  compact         Purge deleted data and shrink files.        (*)
  backup FOLDER   Copy all data to a new folder.
  restore FOLDER  Create a data folder from a backup.
  repair          Rebuild what a lost file held, or count it. (*)
  export FILE     Write vectors to a portable file; resumes.
  import FILE     Add the vectors of an exported file.        (*)
  (*) needs the service stopped, as does export --remove

Options:
  --gallery NAME  export: this gallery only
  --cells A-B     export: these of the 1,024 cells only
  --remove        export: then remove the exported vectors from here
  --yes           repair: do it; without it, count what would be done
  --accept-loss   repair: remove what cannot be rebuilt
  --deletions LOG restore: delete again what was deleted after the backup, as
                  recorded by "npm run audit-log -- export"
  --json          stat: print one JSON array
  --data DIR      data folder (MIEN_DATA; default: data in the project)
  -h, --help      print this help

Examples:
  npm run store -- stat
  npm run store -- index 5f0c1d2e3a4b5f0c1d2e3a4b_default
  npm run store -- verify
  npm run store -- compact
  npm run store -- backup /backups/2026-11-20
  npm run store -- restore /backups/2026-11-20 --data /srv/mien
  npm run store -- restore /backups/2026-11-20 --deletions /backups/audit.jsonl
  npm run store -- repair
  npm run store -- export vectors.jsonl --cells 0-511
  npm run store -- import vectors.jsonl`

const OPTIONS = {
  data: { type: 'string' },
  gallery: { type: 'string' },
  cells: { type: 'string' },
  remove: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'accept-loss': { type: 'boolean', default: false },
  deletions: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

const ACTIONS = {
  stat: { options: ['json'] },
  index: { most: 1, missing: 'The name of a gallery, as stat shows it, is missing.' },
  verify: {},
  compact: {},
  backup: { most: 1, missing: 'The folder to make is missing.' },
  restore: { options: ['deletions'], most: 1, missing: 'The folder of the backup is missing.' },
  repair: { options: ['yes', 'accept-loss'] },
  export: { options: ['gallery', 'cells', 'remove'], most: 1, missing: 'The file to write is missing.' },
  import: { most: 1, missing: 'The file to read is missing.' },
}

const COMMANDS: Record<keyof typeof ACTIONS, StoreCommand> = {
  stat,
  index,
  verify,
  compact,
  backup,
  restore,
  repair,
  export: exportTo,
  import: importFrom,
}

/**
 * Commands in the audit log, recorded before or after they run: those that move vectors out or in, and those that
 * purge.
 */
const RECORDED_BEFORE: ReadonlySet<StoreCommand> = new Set([backup, exportTo, compact])
const RECORDED_AFTER: ReadonlySet<StoreCommand> = new Set([restore, importFrom])

/** Commands that create a data folder. The others need one that a service has used. */
const CREATES_FOLDER: ReadonlySet<StoreCommand> = new Set([restore, importFrom])

const ROOT = resolve(import.meta.dirname, '..')

await runCommand({ usage: USAGE, options: OPTIONS, actions: ACTIONS }, async given => {
  const { action, args } = given
  const { 'accept-loss': acceptLoss, ...values } = given.values
  const command = COMMANDS[action]
  requireCells(values.cells)
  const data = dataFolder(values.data, ROOT)
  const database = await databaseGiven()
  if (!CREATES_FOLDER.has(command)) requireRunningService(data, database !== undefined)
  // A restored folder has the key of the backup.
  const dataKey = command === restore ? undefined : await dataKeyOf(data)
  const work = () =>
    command({
      ...readConfiguration(process.env),
      ...values,
      acceptLoss,
      data,
      dataKey,
      database,
      subject: args[0],
    })
  const recordOperation = async () =>
    writeOperation(data, { action: `store.${action}` }, await metadataOf(data))
  // Commands that copy or purge data are recorded before they run.
  if (RECORDED_BEFORE.has(command)) await recordOperation()
  const code = await work()
  if (RECORDED_AFTER.has(command) && code === 0) await recordOperation()
  return code
})
