/** The checks of what is stored, since SQLite's format has none of its own: CRC-32 of fixed bytes in a fixed order. */
import { crc32 } from 'node:zlib'

const numbers = new Float64Array(2)
const numberBytes = new Uint8Array(numbers.buffer)

/** What the checks of all rows of a gallery start from: so a row of another gallery is noticed. */
export const gallerySeed = (name: string): number => crc32(name)

/** The check of one row: its gallery, id, serial and the bytes of its vector. */
export function rowCheck(seed: number, id: number, serial: number, vector: Uint8Array): number {
  numbers[0] = id
  numbers[1] = serial
  return crc32(vector, crc32(numberBytes, seed))
}

/** The check of what is not a vector. */
export const fieldsCheck = (...fields: readonly (string | number)[]): number => crc32(JSON.stringify(fields))

/** The sum of a gallery's checks, modulo 2^32: it doesn't depend on the order. */
export const wrapped = (sum: number): number => sum >>> 0
