/** The operator's key: it opens nothing but the data key of a folder, and is never kept. */
import { derivedKey, KEY_BYTES } from './encrypt.ts'

export interface OperatorKey {
  readonly bytes: Uint8Array
  /** Names the key to its operator, and tells nothing of it: 8 hexadecimal digits. */
  readonly id: string
}

export const operatorKeyOf = (bytes: Uint8Array): OperatorKey => ({
  bytes,
  id: derivedKey(bytes, 'mien operator key id').toString('hex', 0, 4),
})

/** A key as it is written: 64 hexadecimal digits, or Base64 of 32 bytes. Undefined when it is neither. */
export function parseOperatorKey(text: string): OperatorKey | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return operatorKeyOf(Buffer.from(text, 'hex'))
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === KEY_BYTES ? operatorKeyOf(bytes) : undefined
}
