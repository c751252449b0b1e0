/** Authenticated encryption (AES-256-GCM) of stored bytes, with a key per use, and bound to the place of the bytes. */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

/** Key of all personal data in a data folder: 32 random bytes. An unencrypted folder has none. */
export type DataKey = Uint8Array

/** Bytes of every key. */
export const KEY_BYTES = 32

/** Use of a data key. Each use has its own subkey: ciphertext of one use is invalid for another. */
export type Use =
  | 'metadata'
  | 'vectors'
  | 'galleries'
  | 'indexes'
  | 'pictures'
  | 'backups'
  | 'backup names'
  | 'mark'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Bytes that encryption adds: a random nonce in front, and the authentication tag at the end. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES

/** Authenticated encryption with one key. */
interface Seal {
  /** Encrypts bytes. Returns nonce, ciphertext and tag. `place` is authenticated but not stored. */
  seal(bytes: Uint8Array, place: Uint8Array): Buffer
  /** Decrypts into new memory. Undefined for changed bytes, another key or another place. */
  open(sealed: Uint8Array, place: Uint8Array): Uint8Array<ArrayBuffer> | undefined
}

/** Encryption with the subkey of a use. */
export const sealFor = (dataKey: DataKey, use: Use): Seal => sealWith(subkey(dataKey, use))

/** Subkey of a use: 32 bytes by HKDF-SHA-256. It reveals neither the data key nor other subkeys. */
export const subkey = (dataKey: DataKey, use: Use): Buffer => derivedKey(dataKey, `mien ${use}`)

/** Derives 32 bytes by HKDF-SHA-256. */
export const derivedKey = (key: Uint8Array, info: string, salt: Uint8Array = new Uint8Array(0)): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, KEY_BYTES))

/** Number that identifies a data key and reveals nothing else of it: 1 to 2^31 - 1. 0 without a key. */
export const markOf = (dataKey: DataKey | undefined): number =>
  dataKey ? (subkey(dataKey, 'mark').readUInt32LE(0) & 0x7fffffff) | 1 : 0

/** Encryption with a key of 32 bytes. */
export function sealWith(bytes: Uint8Array): Seal {
  const key = createSecretKey(bytes)
  const settings = { authTagLength: TAG_BYTES }
  return {
    seal(bytes, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, settings).setAAD(place)
      const sealed = cipher.update(bytes)
      cipher.final()
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
    },
    open(sealed, place) {
      const end = sealed.length - TAG_BYTES
      if (end < NONCE_BYTES) return undefined
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), settings)
      decipher.setAAD(place).setAuthTag(sealed.subarray(end))
      const bytes = new Uint8Array(decipher.update(sealed.subarray(NONCE_BYTES, end)))
      try {
        decipher.final()
        return bytes
      } catch {
        return undefined
      }
    },
  }
}

/** Significant characters of a libSQL key. libSQL ignores the others. */
const CHARACTERS = 32

/** Derives the key: 192 bits as Base64url, the maximum that fits. */
export const databaseKey = (dataKey: DataKey): string =>
  subkey(dataKey, 'metadata').toString('base64url').slice(0, CHARACTERS)
