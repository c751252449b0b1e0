/**
 * Lines of the portable file of vectors. The lines are JSON. The first line has format, version, embedder and scope. A line per
 * vector follows, sorted by gallery and id. The last line has the number of vectors and their `sum`. `facen` is Base64 of
 * little-endian float32. `crc` is the CRC-32 of the line before `,"crc"`, in eight hexadecimal digits. `sum` adds the CRC-32 of the
 * lines of vectors, modulo 2^32.
 */
import { createReadStream } from 'node:fs'
import { crc32 } from 'node:zlib'
import * as z from 'zod'
import { Natural } from '../../../contract/scalars.ts'
import { ignoreCode } from '../../files/inspect.ts'
import type { VectorEntry } from '../vector-store.ts'

interface FileLine {
  text: string
  /** Counts from 1. */
  number: number
  /** Offset of the byte after its line feed. */
  end: number
}

/** Bytes, more than any valid line has: a vector of 4,096 values takes 22 KB. */
const LONGEST_LINE = 65_536

/** Yields nothing when the file does not exist. Leaves out a last line without line feed; throws for an overlong one. */
export async function* wholeLines(path: string): AsyncIterable<FileLine> {
  let rest = Buffer.alloc(0)
  let number = 0
  let end = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      const bytes = Buffer.concat([rest, chunk as Buffer])
      let start = 0
      for (let stop = bytes.indexOf(10, start); stop >= 0; stop = bytes.indexOf(10, start)) {
        end += stop + 1 - start
        yield { text: bytes.toString('utf8', start, stop), number: ++number, end }
        start = stop + 1
      }
      rest = bytes.subarray(start)
      if (rest.length > LONGEST_LINE) throw new Error(`Line ${number + 1} of ${path} is too long.`)
    }
  } catch (error) {
    ignoreCode('ENOENT')(error)
  }
}

/** First line of the file. */
const HeaderSchema = z.strictObject({
  format: z.literal('mien-vectors'),
  version: z.literal(1),
  /** Label of the embedder: vectors of two embedders cannot be compared. */
  embedder: z.string(),
  /** Selection of the store's vectors that the file contains. */
  scope: z.string(),
})
type Header = z.infer<typeof HeaderSchema>

/** `facen` is the vector's little-endian float32 as base64. */
const VectorSchema = z.strictObject({
  gallery: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  id: Natural,
  facen: z.base64(),
})

/** Last line. A file without it is incomplete. */
const EndSchema = z.strictObject({ end: z.literal(true), vectors: Natural, sum: Natural })
type End = z.infer<typeof EndSchema>

/** A file that cannot be resumed or imported. The message states the reason. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused'
}

/** Counts the vectors of a file and sums their checksums, for its last line. */
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
  withChecksum({ format: 'mien-vectors', version: 1, embedder, scope } satisfies Header)

export const vectorLine = ({ gallery, id, vector }: VectorEntry): string =>
  withChecksum({
    gallery,
    id,
    facen: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
  })

export const endLine = ({ vectors, sum }: Tally): string => withChecksum({ end: true, vectors, sum })

/** Parses the first line of a file. Throws TransferRefused when it is damaged. */
export const headerAt = (text: string): Header => refusingDamage(1, () => HeaderSchema.parse(parseLine(text)))

/** Parses a later line: a vector, or the end line with the expected tally. Throws TransferRefused when it is damaged. */
export const lineAt = (text: string, number: number): VectorEntry | End =>
  refusingDamage(number, () => {
    const value = parseLine(text)
    if (typeof value === 'object' && value !== null && 'end' in value) return EndSchema.parse(value)
    const { gallery, id, facen } = VectorSchema.parse(value)
    return { gallery, id, vector: new Float32Array(new Uint8Array(Buffer.from(facen, 'base64')).buffer) }
  })

function refusingDamage<Read>(number: number, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    throw new TransferRefused(`Line ${number} of the file is damaged.`, { cause: error })
  }
}

/** Appends the checksum as the last member. It covers everything before it. */
function withChecksum(value: object) {
  const body = JSON.stringify(value).slice(0, -1)
  return `${body},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}`
}

function parseLine(line: string): unknown {
  const [, body = '', crc] = /^(.*),"crc":"([0-9a-f]{8})"\}$/.exec(line) ?? []
  if (crc === undefined || crc32(body) !== Number.parseInt(crc, 16)) throw new Error('checksum')
  return JSON.parse(`${body}}`)
}
