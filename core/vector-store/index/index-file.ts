/** File of an index: the list of each id and the trained model, under one checksum. The index can be rebuilt from the rows. */
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DataKey } from '../../encryption/encrypt.ts'
import { type FileForm, fileForm } from '../../encryption/file-form.ts'
import { syncFolder, writeWhole } from '../../files/durable.ts'
import type { Assignment } from './arrange.ts'
import type { TrainedIndex } from './inverted-file.ts'

/** Identifies an index. */
export interface IndexName {
  /** Number of the gallery. */
  readonly gallery: number
  /** Rows with a lower serial are in the index. */
  readonly serial: number
}

export interface Index extends IndexName, TrainedIndex {
  /** By rising id. */
  readonly assignment: Assignment
}

/**
 * Little-endian: 8 bytes of magic; float64 gallery, serial, rows, lists, and the model's length divided by lists; then float64
 * ids, the uint32 list of each id, the float32 model; then the uint32 CRC-32 of everything before it.
 */
const MAGIC = 'MIENIVF1'
const NUMBERS = 5
const HEADER_BYTES = 8 + 8 * NUMBERS
const CRC_BYTES = 4

/** Storage form of index files: encrypted with the data key, or plaintext without one. */
export const indexForm = (dataKey: DataKey | undefined): FileForm => fileForm(dataKey, 'indexes')

export const indexFileName = ({ gallery, serial }: IndexName): string => `${gallery}-${serial}.ivf`

/** Content of the file with its checksum at the end, and the checksum. */
export function encodeIndex(index: Index): { bytes: Uint8Array; crc: number } {
  const { gallery, serial, assignment, model, lists } = index
  const rows = assignment.ids.length
  const end = HEADER_BYTES + 12 * rows + model.byteLength
  const bytes = new Uint8Array(end + CRC_BYTES)
  bytes.set(Buffer.from(MAGIC))
  new Float64Array(bytes.buffer, 8, NUMBERS).set([gallery, serial, rows, lists, model.length / lists])
  new Float64Array(bytes.buffer, HEADER_BYTES, rows).set(assignment.ids)
  new Uint32Array(bytes.buffer, HEADER_BYTES + 8 * rows, rows).set(assignment.lists)
  new Float32Array(bytes.buffer, HEADER_BYTES + 12 * rows, model.length).set(model)
  const crc = crc32(bytes.subarray(0, end))
  new DataView(bytes.buffer).setUint32(end, crc, true)
  return { bytes, crc }
}

/** Writes the file through a draft in its folder; durable when it resolves. */
export async function writeIndex(path: string, bytes: Uint8Array, form: FileForm): Promise<void> {
  await writeWhole(path, form.stored(bytes, basename(path)), dirname(path))
  await syncFolder(dirname(path))
}

/** Reads the index; undefined when the file is missing or damaged, or has another identity or checksum. */
export async function readIndex(
  path: string,
  name: IndexName,
  crc: number,
  form: FileForm,
): Promise<Index | undefined> {
  const stored = await readFile(path).catch(() => undefined)
  return stored && indexIn(stored, path, name, crc, form)
}

/** Decodes the index in the file's bytes; undefined as in readIndex. */
export function indexIn(
  stored: Buffer,
  path: string,
  name: IndexName,
  crc: number,
  form: FileForm,
): Index | undefined {
  const read = form.read(stored, basename(path))
  if (!read || read.length < HEADER_BYTES + CRC_BYTES) return undefined
  // Float64Array requires a multiple of eight bytes. Other copies would only leave gaps in the memory of the process.
  const bytes = read.byteOffset === 0 ? read : new Uint8Array(read)
  const end = bytes.length - CRC_BYTES
  const written = new DataView(bytes.buffer).getUint32(end, true)
  if (written !== crc || crc32(bytes.subarray(0, end)) !== crc) return undefined
  const [gallery, serial, rows, lists] = new Float64Array(bytes.buffer, 8, NUMBERS) as unknown as number[]
  if (gallery !== name.gallery || serial !== name.serial || !rows || !lists) return undefined
  return {
    ...name,
    lists,
    model: new Float32Array(bytes.buffer.slice(HEADER_BYTES + 12 * rows, end)),
    assignment: {
      ids: new Float64Array(bytes.buffer, HEADER_BYTES, rows),
      lists: new Uint32Array(bytes.buffer, HEADER_BYTES + 8 * rows, rows),
    },
  }
}
