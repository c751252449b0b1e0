/** The operator key: it decrypts only the data key of a folder, and is never stored. */
import { derivedKey, KEY_BYTES } from './encrypt.ts'

/** A parsed operator key. */
export interface OperatorKey {
  readonly bytes: Uint8Array
  /** Identifies the key and reveals nothing else of it: 8 hexadecimal digits. */
  readonly id: string
}

/** The operator key with these 32 bytes. */
export const operatorKeyOf = (bytes: Uint8Array): OperatorKey => ({
  bytes,
  id: derivedKey(bytes, 'mien operator key id').toString('hex', 0, 4),
})

/** Parses 64 hexadecimal digits, or Base64 of 32 bytes. Undefined for other text. */
export function parseOperatorKey(text: string): OperatorKey | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return operatorKeyOf(Buffer.from(text, 'hex'))
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === KEY_BYTES ? operatorKeyOf(bytes) : undefined
}
