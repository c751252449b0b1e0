/** How the vectors of a file lie in their records: as float32, or each sealed for its own place. */
import { type DataKey, markOf, SEAL_BYTES, sealFor } from '../../encryption/encrypt.ts'

type Vector = Float32Array<ArrayBuffer>

export interface RowForm {
  /** The mark of the data key, which the file carries as its `user_version`; 0 where vectors lie in the clear. */
  readonly mark: number
  /** Bytes that a vector takes. */
  length(dimension: number): number
  /** What is written of a vector. `place` says which row it is of. */
  stored(vector: Uint8Array, place: () => Uint8Array): Uint8Array
  /** The vector at the end of a record; undefined when it is of another row, or somebody else has made it. */
  read(record: Uint8Array<ArrayBuffer>, from: number, place: () => Uint8Array): Vector | undefined
  /** What is written of the name of a gallery. */
  storedName(name: string, number: number): string
  /** The name; undefined when it is of another gallery, or somebody else has made it. */
  readName(stored: string, number: number): string | undefined
}

export const PLAINTEXT: RowForm = {
  mark: 0,
  length: dimension => 4 * dimension,
  stored: vector => vector,
  read: (record, from) => new Float32Array(record.buffer, from),
  storedName: name => name,
  readName: stored => stored,
}

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
