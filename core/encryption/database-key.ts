/** Key of an encrypted libSQL database. libSQL encrypts all pages, also of the journal, with AES-256-CBC. */
import { type DataKey, subkey } from './encrypt.ts'

/** Significant characters of a libSQL key. libSQL ignores the others. */
const CHARACTERS = 32

/** Derives the key: 192 bits as Base64url, the maximum that fits. */
export const databaseKey = (dataKey: DataKey): string =>
  subkey(dataKey, 'metadata').toString('base64url').slice(0, CHARACTERS)
