/** Shows the encryption of a data folder, and changes the operator's key while the service is stopped. */
import { changeOperatorKey } from '../../core/backup/rekey.ts'
import { NEW_OPERATOR_KEY } from '../../core/configuration/credentials.ts'
import { findDataKey } from '../../core/encryption/folder-key.ts'
import { readKeyFile, requireConverted, unwrapDataKey } from '../../core/encryption/key-file.ts'
import { writeOperation } from '../../core/metadata/audit-log/entries.ts'
import { VectorFileLocked } from '../../core/vector-store/folder-lock.ts'
import { type GlobalOptions, UsageError } from '../terminal/command-line.ts'
import { databaseGiven, existingFolder, givenKey } from '../terminal/data-folder.ts'

export async function status(options: GlobalOptions): Promise<number> {
  const data = existingFolder(options.data)
  const file = await readKeyFile(data)
  if (file) requireConverted(data, file)
  console.log(file ? `It is encrypted with the key ${file.operatorKey}.` : 'It is not encrypted.')
  const key = await givenKey()
  if (!file || !key) return 0
  unwrapDataKey(data, file, key)
  console.log('The key that was given is the right one.')
  return 0
}

export async function rotate(options: GlobalOptions): Promise<number> {
  const data = existingFolder(options.data)
  const next = await givenKey(NEW_OPERATOR_KEY)
  if (!next) throw new UsageError('MIEN_ENCRYPTION_NEW_KEY, or MIEN_ENCRYPTION_NEW_KEY_FILE, is missing.')
  const operator = await givenKey()
  if (!operator) throw new UsageError('MIEN_ENCRYPTION_KEY, or MIEN_ENCRYPTION_KEY_FILE, is missing.')
  await changeOperatorKey(data, operator, next).catch(error => {
    throw error instanceof VectorFileLocked ? new Error('The service has to be stopped first.') : error
  })
  const settings = { dataKey: await findDataKey(data, next), database: await databaseGiven() }
  await writeOperation(data, { action: 'encryption.rotate' }, settings)
  console.log(`It opens with the key ${next.id}.`)
  return 0
}
