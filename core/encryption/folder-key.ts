/** Whether a data folder is encrypted, and the data key of one that is: asked before anything of it is opened. */
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataKey } from './encrypt.ts'
import {
  conversionOf,
  createKeyFile,
  EncryptionRefused,
  KEY_FILE,
  readKeyFile,
  unwrapped,
} from './key-file.ts'
import type { OperatorKey } from './operator-key.ts'

/** What is personal in a data folder. */
const KEPT = ['metadata.db', 'vectors', 'pictures', 'site-calibration.json']

/** What SQLite's files begin with, where they are not encrypted. */
const SQLITE = 'SQLite format 3\0'

/**
 * The data key of this folder; undefined when it is kept in the clear. A folder that holds nothing yet becomes an
 * encrypted one when a key is given. Throws EncryptionRefused when the key is missing, wrong or not asked for, and while
 * a conversion is to be brought to its end.
 */
export async function openDataKey(
  data: string,
  operator: OperatorKey | undefined,
): Promise<DataKey | undefined> {
  if (operator && isNew(data) && !(await readKeyFile(data))) await createKeyFile(data, operator)
  return findDataKey(data, operator)
}

/** The same for what makes no folder: one that holds nothing has no key. */
export async function findDataKey(
  data: string,
  operator: OperatorKey | undefined,
): Promise<DataKey | undefined> {
  const file = await readKeyFile(data)
  if (!file) {
    await refuseLostKeyFile(data)
    if (operator && !isNew(data)) {
      throw new EncryptionRefused(
        `${data} is not encrypted, and a key was given. Encrypt it with "npm run encryption -- on", or give no key.`,
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
  const keys = unwrapped(data, file, operator)
  if (!keys.converting) return keys.to
  throw new EncryptionRefused(
    `${data} is encrypted in part: its conversion was broken off. Finish it with "npm run encryption -- ${conversionOf(keys)}".`,
  )
}

const isNew = (data: string): boolean => KEPT.every(name => !existsSync(join(data, name)))

async function refuseLostKeyFile(data: string): Promise<void> {
  const path = join(data, 'metadata.db')
  if (!existsSync(path)) return
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0)
    // An empty file is one that SQLite has only just made.
    if (bytesRead < SQLITE.length || buffer.toString('latin1') === SQLITE) return
  } finally {
    await file.close()
  }
  throw new EncryptionRefused(
    `${path} is encrypted or damaged, and there is no ${KEY_FILE}. Restore the data folder from a backup.`,
  )
}
