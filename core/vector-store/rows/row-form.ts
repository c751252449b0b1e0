/** Storage form of vectors and gallery names in a rows file: plaintext, or encrypted (AEAD). */
import { type DataKey, markOf, SEAL_BYTES, sealFor } from '../../encryption/encrypt.ts'

type Vector = Float32Array<ArrayBuffer>

export interface RowForm {
  /** Mark of the data key, which the file has as its `user_version`; 0 for plaintext. */
  readonly mark: number
  /** Bytes of a stored vector. */
  length(dimension: number): number
  /** Encodes a vector. `place` returns the associated data that binds the vector to its row. */
  stored(vector: Uint8Array, place: () => Uint8Array): Uint8Array
  /** Decodes the vector at the end of a record; undefined when it was encrypted for another row or with another key. */
  read(record: Uint8Array<ArrayBuffer>, from: number, place: () => Uint8Array): Vector | undefined
  /** Encodes the name of a gallery. */
  storedName(name: string, number: number): string
  /** Decodes the name; undefined when it was encrypted for another gallery or with another key. */
  readName(stored: string, number: number): string | undefined
}

/** Float32 vectors and readable names. */
export const PLAINTEXT: RowForm = {
  mark: 0,
  length: dimension => 4 * dimension,
  stored: vector => vector,
  read: (record, from) => new Float32Array(record.buffer, from),
  storedName: name => name,
  readName: stored => stored,
}

/** The encrypted form for a data key; PLAINTEXT without a key. */
export function rowForm(dataKey: DataKey | undefined): RowForm {
  if (!dataKey) return PLAINTEXT
  const vectors = sealFor(dataKey, 'vectors')
  const names = sealFor(dataKey, 'galleries')
  const placeOf = (number: number) => Buffer.from(String(number))
  return {
    mark: markOf(dataKey),
    length: dimension => 4 * dimension + SEAL_BYTES,
    stored: (vector, place) => vectors.seal(vector, place()),
    read(record, from, place) {
      const vector = vectors.open(record.subarray(from), place())
      return vector && new Float32Array(vector.buffer)
    },
    storedName: (name, number) => names.seal(Buffer.from(name), placeOf(number)).toString('base64url'),
    readName(stored, number) {
      const name = names.open(Buffer.from(stored, 'base64url'), placeOf(number))
      return name && Buffer.from(name).toString()
    },
  }
}
