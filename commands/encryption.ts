/** `npm run encryption`: encrypts a data folder, decrypts it, and changes its keys, while the service is stopped. */
import { resolve } from 'node:path'
import { type Conversion, changeDataKey, changeOperatorKey, turnOff, turnOn } from '../core/backup/convert.ts'
import { NEW_KEY_VARIABLES } from '../core/configuration/encryption-key.ts'
import { findDataKey } from '../core/encryption/folder-key.ts'
import { conversionOf, type KeyFile, readKeyFile, unwrapped } from '../core/encryption/key-file.ts'
import type { OperatorKey } from '../core/encryption/operator-key.ts'
import { writeOperation } from '../core/metadata/audit-log/operator-entries.ts'
import { VectorFileLocked } from '../core/vector-store/folder-lock.ts'
import { withProgress } from './store/progress.ts'
import { runCommand } from './terminal/command-line.ts'
import { requireFolder } from './terminal/data-folder.ts'
import { givenKey } from './terminal/data-key.ts'
import { databaseGiven } from './terminal/metadata.ts'
import { dataFolder } from './terminal/paths.ts'
import { UsageError } from './terminal/usage-error.ts'

const USAGE = `npm run encryption -- COMMAND [options]

Encrypts a data folder, decrypts it, and changes its keys. The service has to be
stopped, except for status. An interrupted command resumes when it is repeated.

Commands:
  status   Print whether the folder is encrypted, and with which key.
  on       Encrypt all personal data.
  rotate   Let a new key open the folder: MIEN_ENCRYPTION_NEW_KEY(_FILE).
  off      Decrypt everything.

Options:
  --data-key  rotate: encrypt all data again; a new key is optional
  --data DIR  data folder (MIEN_DATA; default: data in the project)
  -h, --help  print this help

The key is in MIEN_ENCRYPTION_KEY, or in the file that MIEN_ENCRYPTION_KEY_FILE
names: 32 random bytes as 64 hexadecimal digits or as Base64.

Examples:
  openssl rand -hex 32 > key && export MIEN_ENCRYPTION_KEY_FILE=key
  npm run encryption -- status
  npm run encryption -- on
  npm run encryption -- rotate --data-key
  npm run encryption -- off`

const OPTIONS = { data: { type: 'string' }, 'data-key': { type: 'boolean', default: false } } as const

const ACTIONS = { status: {}, on: {}, rotate: { options: ['data-key'] }, off: {} }

const ROOT = resolve(import.meta.dirname, '..')

type Convert = (conversion: Conversion) => Promise<void>

const COMMANDS: Record<keyof typeof ACTIONS, (data: string, withDataKey: boolean) => Promise<number>> = {
  status,
  on: data => convert(data, 'on', turnOn, 'Everything personal in it is encrypted.'),
  rotate,
  off: data => convert(data, 'off', turnOff, 'Nothing in it is encrypted any more.'),
}

async function status(data: string): Promise<number> {
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
  return `${INTERRUPTED[command]} was broken off, with the key ${operatorKey}. Finish it: npm run encryption -- ${command}`
}

async function rotate(data: string, withDataKey: boolean): Promise<number> {
  const next = await givenKey(NEW_KEY_VARIABLES)
  if (withDataKey) {
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
  if (database) console.log('The metadata is elsewhere: to encrypt it there is for that database.')
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

await runCommand({ usage: USAGE, options: OPTIONS, actions: ACTIONS }, async ({ action, values }) => {
  const data = dataFolder(values.data, ROOT)
  requireFolder(data)
  return COMMANDS[action](data, values['data-key'])
})
