/** Sealing: AES-256-GCM over bytes that are kept, with a key for each use, and bound to the place where they belong. */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

/** The key to all that is personal in a data folder: 32 random bytes. A folder that is kept in the clear has none. */
export type DataKey = Uint8Array

export const KEY_BYTES = 32

/** What a data key is used for; each use has a key of its own, so that nothing sealed for one passes for another. */
export type Use = 'metadata' | 'vectors' | 'galleries' | 'indexes' | 'pictures' | 'calibration' | 'mark'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** By how much sealed bytes are longer: a random nonce before them, and the tag behind. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES

export interface Seal {
  /** The nonce, the sealed bytes, and the tag. `place` says where they belong; it is not among them. */
  seal(bytes: Uint8Array, place: Uint8Array): Buffer
  /** The bytes, in memory of their own; undefined unless this is what was sealed, with this key and for this place. */
  open(sealed: Uint8Array, place: Uint8Array): Uint8Array<ArrayBuffer> | undefined
}

export const sealFor = (dataKey: DataKey, use: Use): Seal => sealWith(subkey(dataKey, use))

/** 32 bytes that tell nothing of the data key, nor of those for other uses (HKDF-SHA-256). */
export const subkey = (dataKey: DataKey, use: Use): Buffer => derivedKey(dataKey, `mien ${use}`)

export const derivedKey = (key: Uint8Array, info: string, salt: Uint8Array = new Uint8Array(0)): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, KEY_BYTES))

/** Tells data keys apart, and nothing else of them: 1 to 2^31 - 1. What is kept in the clear has the mark 0. */
export const markOf = (dataKey: DataKey | undefined): number =>
  dataKey ? (subkey(dataKey, 'mark').readUInt32LE(0) & 0x7fffffff) | 1 : 0

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
