/** The key of an encrypted database, as libSQL takes it. It encrypts every page, of the journal too, with AES-256-CBC. */
import { type DataKey, subkey } from './encrypt.ts'

/** libSQL looks at so many characters of a key, and passes over the others. */
const CHARACTERS = 32

/** 192 bits as Base64: as much as fits. */
export const databaseKey = (dataKey: DataKey): string =>
  subkey(dataKey, 'metadata').toString('base64url').slice(0, CHARACTERS)
