/** The key of an encrypted database, as libSQL takes it. It encrypts every page, of the journal too, with AES-256-CBC. */
import { type DataKey, subkey } from './seal.ts'

/** 64 hexadecimal digits. */
export const databaseKey = (dataKey: DataKey): string => subkey(dataKey, 'metadata').toString('hex')
