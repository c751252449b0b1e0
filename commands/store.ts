/** `npm run store`: what an operator does with the kept faces: look, index, check, back up, move. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfiguration } from '../core/configuration/environment.ts'
import { writeOperation } from '../core/metadata/operations.ts'
import { dataKeyOf } from './data-key.ts'
import { databaseGiven, metadataOf } from './metadata.ts'
import { Misused, runCommand } from './misused.ts'
import { dataFolder } from './paths.ts'
import { backup, restore } from './store/backups.ts'
import { compact, index, stat } from './store/galleries.ts'
import type { StoreCommand } from './store/options.ts'
import { exportTo, importFrom } from './store/transfer.ts'
import { verify } from './store/verify.ts'

const USAGE = `npm run store -- stat                  galleries, and how many vectors are in which space
npm run store -- index GALLERY         make the gallery's index, and wait for it
npm run store -- verify                check every checksum, and that all agree; also while the service runs
npm run store -- compact               give room back to the disk          (the service has to be stopped)
npm run store -- backup FOLDER         copy all that is kept; also while the service runs
npm run store -- restore FOLDER        make a data folder of a backup
npm run store -- export FILE           write vectors into a portable file; goes on with one that was broken off
npm run store -- import FILE           add the vectors of such a file      (the service has to be stopped)

  --data DIR       data folder                         MIEN_DATA  (./data of the project)
  --gallery NAME   export: this gallery only
  --cells A-B      export: these of the 1,024 cells only
  --remove         export: remove from here what the file holds, once it is on disk  (the service has to be stopped)`

const COMMANDS: Record<string, StoreCommand> = {
  stat,
  index,
  verify,
  compact,
  backup,
  restore,
  export: exportTo,
  import: importFrom,
}

/** What the audit log tells of: what takes vectors out or brings them in, and what is purged. */
const TOLD_BEFORE: ReadonlySet<StoreCommand> = new Set([backup, exportTo, compact])
const TOLD_AFTER: ReadonlySet<StoreCommand> = new Set([restore, importFrom])

const ROOT = resolve(import.meta.dirname, '..')

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      gallery: { type: 'string' },
      cells: { type: 'string' },
      remove: { type: 'boolean', default: false },
    },
  })
  const [name = '', subject] = positionals
  const command = COMMANDS[name]
  if (!command) throw new Misused(name === '' ? 'What is to be done?' : `There is no command "${name}".`)
  const data = dataFolder(values.data, ROOT)
  // What is restored has the key of the backup.
  const dataKey = command === restore ? undefined : await dataKeyOf(data)
  const database = await databaseGiven()
  const work = () =>
    command({ ...readConfiguration(process.env), ...values, data, dataKey, database, subject })
  const told = async () => writeOperation(data, { action: `store.${name}` }, await metadataOf(data))
  // What leaves is told of before it does.
  if (TOLD_BEFORE.has(command)) await told()
  const code = await work()
  if (TOLD_AFTER.has(command) && code === 0) await told()
  return code
}

await runCommand(USAGE, () => run(process.argv.slice(2)))
