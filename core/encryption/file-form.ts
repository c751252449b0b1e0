/** Storage form of files of one use: encrypted (AEAD) as a whole, or plain in a folder without a key; and conversion between forms. */
import { readFile } from 'node:fs/promises'
import { replaceAndWipe, writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/inspect.ts'
import { type DataKey, markOf, sealFor, type Use } from './encrypt.ts'

/** Header of an encrypted file: 8 bytes of magic and the uint32 mark of the data key (little-endian). Ciphertext follows. */
const MAGIC = Buffer.from('MIENSEAL')
const HEADER_BYTES = MAGIC.length + 4

/** Encodes and decodes files of one form. */
export interface FileForm {
  /** Mark of the data key; 0 for plain files. */
  readonly mark: number
  /** Encodes bytes for the file named by `place`. */
  stored(bytes: Uint8Array, place: string): Uint8Array
  /** Decodes a file. Undefined when it is damaged, belongs to another place, or has another form. */
  read(stored: Uint8Array, place: string): Uint8Array<ArrayBuffer> | undefined
}

/** The form of files of a use: encrypted with a data key, plain without one. */
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

/** Mark of the data key of an encrypted file; 0 for a plain file. */
export function markIn(stored: Uint8Array): number {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  const sealed = bytes.length >= HEADER_BYTES && bytes.subarray(0, MAGIC.length).equals(MAGIC)
  return sealed ? bytes.readUInt32LE(MAGIC.length) : 0
}

/** Old and new form of a file. */
interface FormChange {
  from: FileForm
  to: FileForm
}

/**
 * Rewrites the file through the folder `writing`. Skips a missing file. Returns false, without
 * a change, for a file that is not in the old form.
 */
export async function convertFile(
  path: string,
  place: string,
  { from, to }: FormChange,
  writing: string,
): Promise<boolean> {
  const stored = await readFile(path).catch(ignoreCode('ENOENT'))
  if (!stored) return true
  const bytes = from.read(stored, place)
  if (!bytes) return false
  await replaceAndWipe(path, () => writeWhole(path, to.stored(bytes, place), writing))
  return true
}
