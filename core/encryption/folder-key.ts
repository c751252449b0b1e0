/** Finds the data key of a data folder, before any other file of the folder is opened. */
import { existsSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { databaseDescriptor } from '../files/inspect.ts'
import type { DataKey } from './encrypt.ts'
import {
  createKeyFile,
  EncryptionRefused,
  KEY_FILE,
  type OperatorKey,
  readKeyFile,
  unwrapDataKey,
} from './key-file.ts'

/** Files and folders with personal data. A folder without them is new. */
const PERSONAL_FILES = ['metadata.db', 'vectors', 'pictures', 'site-calibration.json']

/** First bytes of an unencrypted SQLite file. */
const SQLITE_MAGIC = 'SQLite format 3\0'

/**
 * Data key of a folder; undefined for an unencrypted one. With an operator key, a new folder becomes encrypted. Throws
 * EncryptionRefused for a missing, wrong or unneeded operator key, and for an incomplete conversion.
 */
export async function openDataKey(
  data: string,
  operator: OperatorKey | undefined,
): Promise<DataKey | undefined> {
  if (operator && isNew(data) && !(await readKeyFile(data))) await createKeyFile(data, operator)
  return findDataKey(data, operator)
}

/** Like `openDataKey`, but never encrypts a new folder. For commands that do not create a folder. */
export async function findDataKey(
  data: string,
  operator: OperatorKey | undefined,
): Promise<DataKey | undefined> {
  const file = await readKeyFile(data)
  if (!file) {
    refuseLostKeyFile(data)
    if (operator && !isNew(data)) {
      throw new EncryptionRefused(
        `${data} is not encrypted, and a key was given. Give no key. To encrypt the data, back it up, and restore the backup with MIEN_ENCRYPTION_NEW_KEY.`,
      )
    }
    return undefined
  }
  if (!operator) {
    throw new EncryptionRefused(
      `${data} is encrypted with the key ${file.operatorKey}. Give it in MIEN_ENCRYPTION_KEY, or the name of its file ` +
        'in MIEN_ENCRYPTION_KEY_FILE.',
    )
  }
  return unwrapDataKey(data, file, operator)
}

const isNew = (data: string) => PERSONAL_FILES.every(name => !existsSync(join(data, name)))

function refuseLostKeyFile(data: string) {
  const path = join(data, 'metadata.db')
  if (!existsSync(path)) return
  const start = Buffer.alloc(SQLITE_MAGIC.length)
  const length = readSync(databaseDescriptor(path), start, 0, start.length, 0)
  // A shorter file is empty: SQLite has just created it.
  if (length < start.length || start.toString('latin1') === SQLITE_MAGIC) return
  throw new EncryptionRefused(
    `${path} is encrypted or damaged, and there is no ${KEY_FILE}. Restore the data folder from a backup.`,
  )
}
