/** Decodes PNGs with libpng in small pieces, and averages lines before the full picture exists. */
import { averageRows, BoxAverage, type Reduction } from '../imaging/box-average.ts'
import type { Raster } from '../imaging/orientation.ts'
import type { Pace } from '../runtime/pace.ts'
import { InstancePool } from './instance-pool.ts'
import { brokenPixels } from './photo-file.ts'
import { type Chunk, MOST_INFLATED, type PngHeader, pngChunks } from './png-header.ts'

/** A line of pixels: `pixels` pixels of row y, starting at column x, `dx` columns apart. */
interface Line {
  readonly x: number
  readonly dx: number
  readonly y: number
  readonly pixels: number
}

/** `rgb` begins with the pixels of the line. It is valid during the call. */
type TakeLine = (rgb: Uint8Array, line: Line) => void

/** Exports of libpng.c, for one photo at a time. */
interface Libpng {
  readonly memory: WebAssembly.Memory
  /** Begins a photo. Returns the address for its pieces, of at most 1,024 bytes. */
  pngStart(): number
  /** Reads a piece of this length. Takes each line that ends in it. Throws for a damaged photo. */
  pngRead(length: number): void
  pngEnd(): void
}

interface Decoder {
  readonly libpng: Libpng
  readonly memory: WebAssembly.Memory
  /** Takes the line whose pixels are at this address. */
  take: (address: number, x: number, dx: number, y: number) => void
}

/** Idle decoders. */
export const pngPool = new InstancePool<Decoder>()

/** Maximum pixels and lines that a piece of the file inflates to. */
const PIECE_PIXELS = 2 ** 16
const PIECE_LINES = 2 ** 10

/** Microseconds per line, per pixel and per byte of the file, and of the work between two pauses. Measured. Blocks can lack data. */
const LINE_US = 1
const PIXEL_US = 0.05
const BYTE_US = 0.15
const PIECE_US = 600

/**
 * Decodes to the reduction's size. Reads small pieces and never more lines than the header declares. A file that ends
 * early is accepted when half of its lines are present; the rest is grey. An interlaced file must be complete,
 * because its early lines form a mosaic. Calls `pace` with the work of a few pieces.
 */
export async function decodePng(
  bytes: Uint8Array,
  header: PngHeader,
  module: WebAssembly.Module,
  reduction: Reduction,
  pace: Pace,
): Promise<Raster> {
  if (!header.interlaced) {
    const average = new BoxAverage(header, reduction)
    await readLines(bytes, header, module, pace, rgb => average.add(rgb))
    return average.raster
  }
  const { width, height } = header
  const data = new Uint8Array(width * height * 3)
  await readLines(bytes, header, module, pace, (rgb, line) => spread(data, width, line, rgb))
  if (reduction.step === 1) return { data, width, height }
  return averageRows(header, reduction, y => data.subarray(3 * width * y, 3 * width * (y + 1)), pace)
}

/** Puts the pixels of an interlaced line in their places. */
function spread(data: Uint8Array, width: number, { x, dx, y, pixels }: Line, rgb: Uint8Array) {
  for (let from = 0, to = 3 * (y * width + x); from < 3 * pixels; from += 3, to += 3 * dx) {
    data[to] = rgb[from]!
    data[to + 1] = rgb[from + 1]!
    data[to + 2] = rgb[from + 2]!
  }
}

/** Passes each line on as RGB, in file order. Throws BAD_IMAGE when too many lines are missing. */
async function readLines(
  bytes: Uint8Array,
  header: PngHeader,
  module: WebAssembly.Module,
  pace: Pace,
  take: TakeLine,
) {
  const { width, height, interlaced } = header
  const decoder = pngPool.take(module) ?? instantiate(module)
  const { libpng, memory } = decoder
  let missing = width * height
  let lines = 0
  decoder.take = (address, x, dx, y) => {
    const pixels = Math.ceil((width - x) / dx)
    missing -= pixels
    lines++
    take(new Uint8Array(memory.buffer, address), { x, dx, y, pixels })
  }
  const address = libpng.pngStart()
  let damage: unknown
  let work = 0
  for (const piece of piecesOf(bytes, header)) {
    const before = missing
    lines = 0
    new Uint8Array(memory.buffer).set(piece, address)
    try {
      libpng.pngRead(piece.length)
    } catch (error) {
      damage = error
    }
    if (damage || missing === 0) break
    work += lines * LINE_US + (before - missing) * PIXEL_US + piece.length * BYTE_US
    if (work < PIECE_US) continue
    await pace(work)
    work = 0
  }
  if (!damage) {
    libpng.pngEnd()
    decoder.take = takeNothing
    pngPool.giveBack(module, decoder)
  }
  if (missing > (interlaced ? 0 : (width * height) / 2)) throw brokenPixels(damage)
}

/** An idle decoder must not keep the photo of a request. */
const takeNothing = () => {}

function instantiate(module: WebAssembly.Module): Decoder {
  const instance = new WebAssembly.Instance(module, {
    env: {
      takeLine: (...line: Parameters<Decoder['take']>) => decoder.take(...line),
      refuse() {
        throw new Error('libpng refuses the photo')
      },
    },
  })
  const libpng = instance.exports as unknown as Libpng
  const decoder: Decoder = { libpng, memory: libpng.memory, take: takeNothing }
  return decoder
}

const SIGNATURE_LENGTH = 8
const CHECKSUM_LENGTH = 4

/** Bytes of a palette with 256 colours: no chunk before the pixels is longer. */
const MOST_PALETTE = 768

/**
 * The file as libpng has to read it: without chunks that change no pixel, with the pixels in one chunk, and without valid
 * checksums, which libpng does not compare.
 */
function* piecesOf(bytes: Uint8Array, { bitDepth, colour, width }: PngHeader): Generator<Uint8Array> {
  const chunks = [...pngChunks(bytes)]
  yield bytes.subarray(0, SIGNATURE_LENGTH)
  for (const type of ['IHDR', 'PLTE', 'tRNS']) {
    const data = chunks.find(chunk => chunk.type === type)?.data.subarray(0, MOST_PALETTE)
    if (!data) continue
    yield beginning(type, data.length)
    yield data
    yield new Uint8Array(CHECKSUM_LENGTH)
  }
  const compressed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  // Zeros make libpng inflate all that it holds of a file that ends early.
  compressed.push(new Uint8Array(CHECKSUM_LENGTH))
  yield beginning(
    'IDAT',
    compressed.reduce((sum, { length }) => sum + length, 0),
  )
  const pixels = Math.min(PIECE_PIXELS, PIECE_LINES * width)
  const step = Math.ceil((pixels * colour.samples * bitDepth) / 8 / MOST_INFLATED)
  for (const data of compressed)
    for (let at = 0; at < data.length; at += step) yield data.subarray(at, at + step)
}

/** Length and type of a chunk. */
function beginning(type: Chunk['type'], length: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setUint32(0, length)
  new TextEncoder().encodeInto(type, bytes.subarray(4))
  return bytes
}
