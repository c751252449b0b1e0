/** How files of one use lie on the disk: sealed as a whole, or as they are where a folder has no key. */
import { type DataKey, markOf, sealFor, type Use } from './encrypt.ts'

/** A sealed file: 8 bytes of magic, the uint32 mark of the data key (little-endian), and what was sealed. */
const MAGIC = Buffer.from('MIENSEAL')
const HEADER_BYTES = MAGIC.length + 4

export interface FileForm {
  /** The mark of the data key; 0 where files lie in the clear. */
  readonly mark: number
  /** What is to be written of these bytes, at the place that this names. */
  stored(bytes: Uint8Array, place: string): Uint8Array
  /** What was written; undefined when it was damaged, belongs to another place, or is of another form. */
  read(stored: Uint8Array, place: string): Uint8Array<ArrayBuffer> | undefined
}

export function fileForm(dataKey: DataKey | undefined, use: Use): FileForm {
  if (!dataKey) {
    return {
      mark: 0,
      stored: bytes => bytes,
      read: stored => (markIn(stored) === 0 ? (stored as Uint8Array<ArrayBuffer>) : undefined),
    }
  }
  const mark = markOf(dataKey)
  const seal = sealFor(dataKey, use)
  const header = Buffer.alloc(HEADER_BYTES)
  header.set(MAGIC)
  header.writeUInt32LE(mark, MAGIC.length)
  return {
    mark,
    stored: (bytes, place) => Buffer.concat([header, seal.seal(bytes, Buffer.from(place))]),
    read: (stored, place) =>
      markIn(stored) === mark ? seal.open(stored.subarray(HEADER_BYTES), Buffer.from(place)) : undefined,
  }
}

/** The mark of the data key that a file is sealed with; 0 when it lies in the clear. */
export function markIn(stored: Uint8Array): number {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  const sealed = bytes.length >= HEADER_BYTES && bytes.subarray(0, MAGIC.length).equals(MAGIC)
  return sealed ? bytes.readUInt32LE(MAGIC.length) : 0
}
