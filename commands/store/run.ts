/** Runs a command on stored faces: opens the stores, and records the command in the audit log. */
import { readConfiguration } from '../../core/configuration/environment.ts'
import { writeOperation } from '../../core/metadata/audit-log/entries.ts'
import { databaseGiven, dataKeyOf, metadataOf, requireRunningService } from '../terminal/data-folder.ts'
import { dataFolder } from '../terminal/paths.ts'
import { restore } from './backups.ts'
import { compact, exportTo, importFrom, index, stat, verify } from './galleries.ts'
import { move } from './move.ts'
import type { StoreCommand, StoreGiven, StoreOptions } from './open.ts'
import { repair } from './repair.ts'

const COMMANDS = {
  stat,
  index,
  verify,
  compact,
  restore,
  repair,
  export: exportTo,
  import: importFrom,
  move,
} satisfies Record<string, StoreCommand>

export type StoreName = keyof typeof COMMANDS

/** Commands in the audit log. Commands that move vectors out are recorded before they run, all others after their work. */
const RECORDED_BEFORE: ReadonlySet<StoreCommand> = new Set([exportTo])
const RECORDED_AFTER: ReadonlySet<StoreCommand> = new Set([compact, importFrom])

/** Commands that create a data folder. All others need a data folder that a service has used. */
const CREATES_FOLDER: ReadonlySet<StoreCommand> = new Set([restore, importFrom])

/** Runs the command with this name. `subject`: its argument. Returns the exit code. */
export async function runStore(name: StoreName, given: StoreGiven, subject = ''): Promise<number> {
  const command = COMMANDS[name]
  const data = dataFolder(given.data)
  const database = await databaseGiven()
  if (!CREATES_FOLDER.has(command)) requireRunningService(data, database !== undefined)
  const options: StoreOptions = {
    ...readConfiguration(process.env),
    ...given,
    yes: given.yes ?? false,
    acceptLoss: given.acceptLoss ?? false,
    data,
    database,
    // A restored folder has the key of the backup.
    dataKey: command === restore ? undefined : await dataKeyOf(data),
    subject,
  }
  const recordOperation = async () =>
    writeOperation(data, { action: `store.${name}` }, await metadataOf(data))
  if (RECORDED_BEFORE.has(command)) await recordOperation()
  const code = await command(options)
  if (RECORDED_AFTER.has(command) && code === 0) await recordOperation()
  return code
}
