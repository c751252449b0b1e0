/** Record of a row in the file, with a checksum, which SQLite's format lacks. */
import { crc32 } from 'node:zlib'
import { type DataKey, markOf, SEAL_BYTES, sealFor } from '../../encryption/encrypt.ts'

/**
 * Byte offsets, little-endian: the uint32 CRC-32 of the following bytes, which starts from the CRC-32 of the gallery's
 * name; uint32 number of the gallery; float64 id; float64 serial; the vector in the form of the file. A record of zeros
 * is a free slot.
 */
const CRC = 0
const GALLERY = 4
const ID = 8
const SERIAL = 16
const VECTOR = 24

/** A row as it is in the file, possibly damaged. */
export interface StoredRow {
  readonly slot: number
  readonly crc: number
  /** Number of its gallery; 0 in a free slot. */
  readonly gallery: number
  readonly id: number
  /** Rises with every row that is written. */
  readonly serial: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Initial value of the checksums of a gallery's rows: a row of another gallery is detected. */
export const gallerySeed = (name: string): number => crc32(name)

/** Checksum of records other than rows. */
export const fieldsCheck = (...fields: readonly (string | number)[]): number => crc32(JSON.stringify(fields))

/** Wraps a sum of checksums modulo 2^32. The sum does not depend on their order. */
export const toUint32 = (sum: number): number => sum >>> 0

/** Bytes of the shortest record: a vector of one value. */
export const SHORTEST_RECORD = VECTOR + 4

/** Gallery of a row, as encoding and validation need it. */
export interface RowOwner {
  readonly name: string
  readonly number: number
  readonly dimension: number
  readonly seed: number
  readonly form: RowForm
}

/** Encodes a row; returns the record and its checksum. */
export function encodeRow(owner: RowOwner, id: number, serial: number, vector: Float32Array) {
  const { number, seed, form } = owner
  const bytes = Buffer.alloc(VECTOR + form.length(vector.length))
  const numbers = new DataView(bytes.buffer, bytes.byteOffset)
  numbers.setUint32(GALLERY, number, true)
  numbers.setFloat64(ID, id, true)
  numbers.setFloat64(SERIAL, serial, true)
  const clear = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  bytes.set(
    form.stored(clear, () => placeOf(owner, bytes)),
    VECTOR,
  )
  const crc = crc32(bytes.subarray(GALLERY), seed)
  numbers.setUint32(CRC, crc, true)
  return { bytes, crc }
}

/** Decodes the value that SQLite returns; damage can change its type. A record that is too short belongs to no gallery. */
export function decodeRow(slot: number, record: unknown): StoredRow {
  const bytes = bytesOf(record)
  const numbers = new DataView(bytes.buffer)
  return {
    slot,
    crc: numbers.getUint32(CRC, true),
    gallery: numbers.getUint32(GALLERY, true),
    id: numbers.getFloat64(ID, true),
    serial: numbers.getFloat64(SERIAL, true),
    bytes,
  }
}

/** A record from an iteration has its own memory; a single one is a view of shared memory, and is copied. */
function bytesOf(record: unknown): Uint8Array<ArrayBuffer> {
  const whole = record instanceof ArrayBuffer || record instanceof Uint8Array
  const bytes = whole ? new Uint8Array(record) : new Uint8Array(0)
  return bytes.length >= VECTOR ? bytes : Uint8Array.from({ length: VECTOR }, () => 255)
}

/** Whether the record is a free slot. */
export const isFreeRow = ({ crc, gallery, id, serial }: StoredRow): boolean =>
  crc === 0 && gallery === 0 && id === 0 && serial === 0

/** Vector of a row, possibly a view of its bytes; undefined when the row is damaged or belongs to another gallery. */
export function vectorOf(owner: RowOwner, row: StoredRow): Float32Array<ArrayBuffer> | undefined {
  const { number, dimension, seed, form } = owner
  const { bytes } = row
  const isWhole =
    row.gallery === number &&
    bytes.length === VECTOR + form.length(dimension) &&
    crc32(bytes.subarray(GALLERY), seed) === row.crc
  return isWhole ? form.read(bytes, VECTOR, () => placeOf(owner, bytes)) : undefined
}

/** Associated data of a vector's encryption: moving it to another row or gallery is detected. */
const placeOf = ({ name }: RowOwner, record: Uint8Array): Uint8Array =>
  Buffer.concat([record.subarray(GALLERY, VECTOR), Buffer.from(name)])

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
