/** Encrypts a data folder, decrypts it, and changes its keys, while the service is stopped. */
import {
  type Conversion,
  changeDataKey,
  changeOperatorKey,
  turnOff,
  turnOn,
} from '../../core/backup/convert.ts'
import { NEW_OPERATOR_KEY } from '../../core/configuration/credentials.ts'
import { findDataKey } from '../../core/encryption/folder-key.ts'
import {
  conversionOf,
  type KeyFile,
  type OperatorKey,
  readKeyFile,
  unwrapped,
} from '../../core/encryption/key-file.ts'
import { writeOperation } from '../../core/metadata/audit-log/entries.ts'
import { VectorFileLocked } from '../../core/vector-store/folder-lock.ts'
import { withProgress } from '../store/progress.ts'
import { type GlobalOptions, UsageError } from '../terminal/command-line.ts'
import { databaseGiven, existingFolder, givenKey } from '../terminal/data-folder.ts'

type Convert = (conversion: Conversion) => Promise<void>

export interface RotateOptions extends GlobalOptions {
  /** Encrypts all data again, with a new data key. */
  dataKey?: boolean
}

export const on = (options: GlobalOptions): Promise<number> =>
  convert(existingFolder(options.data), 'on', turnOn, 'Everything personal in it is encrypted.')

export const off = (options: GlobalOptions): Promise<number> =>
  convert(existingFolder(options.data), 'off', turnOff, 'Nothing in it is encrypted any more.')

export async function status(options: GlobalOptions): Promise<number> {
  const data = existingFolder(options.data)
  const file = await readKeyFile(data)
  console.log(file ? described(file) : 'It is not encrypted.')
  const key = await givenKey()
  if (!file || !key) return 0
  unwrapped(data, file, key)
  console.log('The key that was given is the right one.')
  return 0
}

/** Names of interrupted conversions, by the command that resumes them. */
const INTERRUPTED = {
  on: 'Its encryption',
  off: 'Its decryption',
  'rotate --data-key': 'A change of its data key',
}

function described(file: KeyFile): string {
  const { operatorKey, converting } = file
  if (!converting) return `It is encrypted with the key ${operatorKey}.`
  const command = conversionOf(file)
  return `${INTERRUPTED[command]} with the key ${operatorKey} was interrupted. Finish it: mien encryption ${command}`
}

export async function rotate(options: RotateOptions): Promise<number> {
  const data = existingFolder(options.data)
  const next = await givenKey(NEW_OPERATOR_KEY)
  if (options.dataKey) {
    const change: Convert = conversion => changeDataKey(conversion, next ?? conversion.operator)
    return convert(
      data,
      'rotate --data-key',
      change,
      'Everything personal in it is encrypted with a new data key.',
      next,
    )
  }
  if (!next) throw new UsageError('MIEN_ENCRYPTION_NEW_KEY, or MIEN_ENCRYPTION_NEW_KEY_FILE, is missing.')
  const change: Convert = conversion => changeOperatorKey(conversion, next)
  return convert(data, 'rotate', change, `It opens with the key ${next.id}.`, next)
}

/**
 * Runs a conversion and records it in the audit log. `next` is the key that opens the folder afterwards, when it
 * changes.
 */
async function convert(
  data: string,
  what: string,
  runConversion: Convert,
  done: string,
  next?: OperatorKey,
): Promise<number> {
  const operator = await requiredKey()
  let lost = 0
  await withProgress('pictures', show =>
    runConversion({
      data,
      operator,
      onPicture: converted => show(converted, converted),
      onLost: what => {
        lost++
        console.error(`Damaged before: ${what}`)
      },
    }),
  ).catch(explainLock)
  const dataKey = what === 'off' ? undefined : await findDataKey(data, next ?? operator)
  const database = await databaseGiven()
  await writeOperation(data, { action: `encryption.${what}` }, { dataKey, database })
  if (database) console.log('The metadata in the database is unchanged: encrypt it with the database.')
  console.log(done)
  return lost === 0 ? 0 : 1
}

async function requiredKey(): Promise<OperatorKey> {
  const key = await givenKey()
  if (!key) throw new UsageError('MIEN_ENCRYPTION_KEY, or MIEN_ENCRYPTION_KEY_FILE, is missing.')
  return key
}

function explainLock(error: unknown): never {
  throw error instanceof VectorFileLocked ? new Error('The service has to be stopped first.') : error
}
