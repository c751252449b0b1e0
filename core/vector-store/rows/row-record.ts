/** The record of a row in the file, and its check, since SQLite's format has none. */
import { crc32 } from 'node:zlib'
import type { RowForm } from './row-form.ts'

/**
 * Little-endian: the uint32 CRC-32 of what follows, which starts from that of the gallery's name; uint32 number of the
 * gallery; float64 id; float64 serial; the vector in the form of the file. A record of zeros is a place that is free.
 */
const CRC = 0
const GALLERY = 4
const ID = 8
const SERIAL = 16
const VECTOR = 24

/** A row as the file has it, whatever became of it there. */
export interface StoredRow {
  readonly slot: number
  readonly crc: number
  /** Number of its gallery; 0 where nothing is. */
  readonly gallery: number
  readonly id: number
  /** Rises with every row that is written. */
  readonly serial: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What the checks of all rows of a gallery start from: so a row of another gallery is noticed. */
export const gallerySeed = (name: string): number => crc32(name)

/** The check of what is no row. */
export const fieldsCheck = (...fields: readonly (string | number)[]): number => crc32(JSON.stringify(fields))

/** The sum of a gallery's checks, modulo 2^32: it doesn't depend on their order. */
export const wrapped = (sum: number): number => sum >>> 0

/** No record is shorter. */
export const SHORTEST_RECORD = VECTOR + 4

export interface RowOwner {
  readonly name: string
  readonly number: number
  readonly dimension: number
  readonly seed: number
  readonly form: RowForm
}

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

/** `record` is what SQLite gives: a changed byte may make anything of it. What is too short is a row of nothing. */
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

/** Rows of an iteration are memory of their own; a single one comes as a view of shared memory. */
function bytesOf(record: unknown): Uint8Array<ArrayBuffer> {
  const whole = record instanceof ArrayBuffer || record instanceof Uint8Array
  const bytes = whole ? new Uint8Array(record) : new Uint8Array(0)
  return bytes.length >= VECTOR ? bytes : Uint8Array.from({ length: VECTOR }, () => 255)
}

export const isFree = ({ crc, gallery, id, serial }: StoredRow): boolean =>
  crc === 0 && gallery === 0 && id === 0 && serial === 0

/** The vector of a row, which may be a view of its bytes; undefined unless the row is a whole one of this gallery. */
export function vectorOf(owner: RowOwner, row: StoredRow): Float32Array<ArrayBuffer> | undefined {
  const { number, dimension, seed, form } = owner
  const { bytes } = row
  const isWhole =
    row.gallery === number &&
    bytes.length === VECTOR + form.length(dimension) &&
    crc32(bytes.subarray(GALLERY), seed) === row.crc
  return isWhole ? form.read(bytes, VECTOR, () => placeOf(owner, bytes)) : undefined
}

/** What a vector belongs to, and cannot be taken from unnoticed. */
const placeOf = ({ name }: RowOwner, record: Uint8Array): Uint8Array =>
  Buffer.concat([record.subarray(GALLERY, VECTOR), Buffer.from(name)])
