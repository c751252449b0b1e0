/** The portable file of vectors: lines of JSON, each under a checksum of its own. docs/operations.md describes it. */
import { crc32 } from 'node:zlib'
import * as z from 'zod'
import type { VectorEntry } from '../vector-store.ts'

/** The first line: what the rest is. */
const HeaderSchema = z.strictObject({
  format: z.literal('mien-vectors'),
  version: z.literal(1),
  /** What made the vectors: those of two embedders can't be compared. */
  embedder: z.string(),
  /** Which of the store's vectors it was asked to hold. */
  scope: z.string(),
})
export type Header = z.infer<typeof HeaderSchema>

/** `facen` is the vector's little-endian float32 as base64. */
const VectorSchema = z.strictObject({
  gallery: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  id: z.int().min(0),
  facen: z.base64(),
})

/** The last line: a file without it is not whole. */
const EndSchema = z.strictObject({ end: z.literal(true), vectors: z.int().min(0), sum: z.int().min(0) })
type End = z.infer<typeof EndSchema>

/** A file that can't be gone on with or imported, and why, for the operator. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}

/** Counts the vectors of a file, and adds up their checksums: what its last line has to say. */
export class Tally {
  vectors = 0
  #sum = 0

  get sum(): number {
    return this.#sum
  }

  take(line: string): void {
    this.vectors++
    this.#sum = (this.#sum + crc32(line)) >>> 0
  }
}

export const headerLine = ({ embedder, scope }: Pick<Header, 'embedder' | 'scope'>): string =>
  sealed({ format: 'mien-vectors', version: 1, embedder, scope } satisfies Header)

export const vectorLine = ({ gallery, id, vector }: VectorEntry): string =>
  sealed({
    gallery,
    id,
    facen: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
  })

export const endLine = ({ vectors, sum }: Tally): string => sealed({ end: true, vectors, sum })

/** The first line of a file. */
export const headerAt = (text: string): Header => whole(1, () => HeaderSchema.parse(unsealed(text)))

/** A later line: a vector, or the end of the file with what its tally has to be. Throws TransferRefused when damaged. */
export const lineAt = (text: string, number: number): VectorEntry | End =>
  whole(number, () => {
    const value = unsealed(text)
    if (typeof value === 'object' && value !== null && 'end' in value) return EndSchema.parse(value)
    const { gallery, id, facen } = VectorSchema.parse(value)
    return { gallery, id, vector: new Float32Array(new Uint8Array(Buffer.from(facen, 'base64')).buffer) }
  })

function whole<Read>(number: number, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    throw new TransferRefused(`Line ${number} of the file is damaged.`, { cause: error })
  }
}

/** The checksum is the last member, and covers all that stands before it. */
function sealed(value: object): string {
  const body = JSON.stringify(value).slice(0, -1)
  return `${body},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}`
}

function unsealed(line: string): unknown {
  const [, body = '', crc] = /^(.*),"crc":"([0-9a-f]{8})"\}$/.exec(line) ?? []
  if (crc === undefined || crc32(body) !== Number.parseInt(crc, 16)) throw new Error('checksum')
  return JSON.parse(`${body}}`)
}
