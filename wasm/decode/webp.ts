/**
 * Decodes WEBPs with libwebp: still pictures, or the first frame of an animation. Transparent pixels are composited
 * on white.
 */
import openLibwebp from '@jsquash/webp/codec/dec/webp_dec.js'
import { averageRows, PIXEL_US, type Reduction, ROWS } from '../imaging/box-average.ts'
import type { Raster } from '../imaging/orientation.ts'
import type { Pace } from '../runtime/pace.ts'
import { webpHeapBytes } from './budget.ts'
import { InstancePool } from './instance-pool.ts'
import { brokenPixels } from './photo-file.ts'
import type { WebpHeader } from './webp-header.ts'
import { firstPicture, RIFF_HEADER_LENGTH } from './webp-header.ts'

interface Libwebp {
  readonly memory: WebAssembly.Memory
  /** Maximum bytes of the memory. The file declares its own size, and the declaration may be false. */
  most: number
  /** The pixels, copied out of the memory; null for an invalid file. May throw values that are no Error. */
  decode(file: Uint8Array): Picture | null
}

/** RGBA pixels. */
interface Picture {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

/** Bytes of a WebAssembly memory page. */
const MEMORY_PAGE_BYTES = 65_536

/** Name of the exported memory in the minified build. */
const MEMORY_EXPORT = 's'

/** Idle decoders. */
export const webpPool = new InstancePool<Libwebp>()

/**
 * Decodes at full size, because the build cannot reduce, then averages. Throws BAD_IMAGE when the file is damaged or
 * cut off anywhere.
 */
export async function decodeWebp(
  bytes: Uint8Array,
  header: WebpHeader,
  module: WebAssembly.Module,
  reduction: Reduction,
  pace: Pace,
): Promise<Raster> {
  const libwebp = webpPool.take(module) ?? (await instantiate(module))
  libwebp.most = webpHeapBytes(header)
  const picture = libwebp.decode(header.animated ? stillFile(bytes, header) : bytes)
  webpPool.giveBack(module, libwebp)
  if (picture?.width !== header.frame.width || picture.height !== header.frame.height) throw brokenPixels()
  const rgb = await toRgb(picture, pace)
  return onCanvas(rgb, header, reduction, pace)
}

/** Instantiates libwebp. The module is instantiated synchronously, and then the promise of the glue code resolves. */
async function instantiate(module: WebAssembly.Module): Promise<Libwebp> {
  let memory: WebAssembly.Memory | undefined
  const codec = await openLibwebp({
    noInitialRun: true,
    locateFile: (file: string) => file,
    print() {},
    printErr() {},
    instantiateWasm(imports: WebAssembly.Imports, use: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports)
      memory = instance.exports[MEMORY_EXPORT] as WebAssembly.Memory
      use(instance)
      return instance.exports
    },
  })
  if (!memory) throw new Error('libwebp exports no memory by the name that is expected')
  const libwebp: Libwebp = { memory, most: 0, decode: file => codec.decode(file) }
  bound(libwebp)
  return libwebp
}

/** Bounds the memory. The glue code calls `grow` on this object and treats an exception as a failed allocation. */
function bound(libwebp: Libwebp): void {
  const { memory } = libwebp
  const grow = memory.grow.bind(memory)
  memory.grow = pages => {
    if (memory.buffer.byteLength + pages * MEMORY_PAGE_BYTES > libwebp.most)
      throw new RangeError('more than the price')
    return grow(pages)
  }
}

/** RFC 9649, 2.7. The flags stay 0: libwebp reads the chunks that follow. */
const EXTENDED_HEADER_LENGTH = 18

/** Wraps the first frame of an animation as a file. */
function stillFile(bytes: Uint8Array, { frame }: WebpHeader): Uint8Array {
  const picture = firstPicture(bytes)
  if (!picture) throw brokenPixels()
  const chunks = picture.alpha ? [picture.alpha.whole, picture.image.whole] : [picture.image.whole]
  const start = RIFF_HEADER_LENGTH + EXTENDED_HEADER_LENGTH
  // Chunks are padded to an even length.
  const length = chunks.reduce((sum, chunk) => sum + chunk.length + (chunk.length % 2), start)
  const file = new Uint8Array(length)
  const view = new DataView(file.buffer)
  const text = new TextEncoder()
  file.set(text.encode('RIFF'), 0)
  view.setUint32(4, length - 8, true)
  file.set(text.encode('WEBPVP8X'), 8)
  view.setUint32(16, 10, true)
  // 24 bits each of width minus one and height minus one.
  view.setUint16(24, frame.width - 1, true)
  view.setUint16(27, frame.height - 1, true)
  let at = start
  for (const chunk of chunks) {
    file.set(chunk, at)
    at += chunk.length + (chunk.length % 2)
  }
  return file
}

/** Converts four bytes per pixel to three, in place. Returns a view of the same memory. */
async function toRgb({ data, width }: Picture, pace: Pace): Promise<Uint8Array> {
  const piece = ROWS * width * 4
  for (let start = 0; start < data.length; start += piece) {
    await pace(ROWS * width * PIXEL_US)
    paintOnWhite(data, start, Math.min(start + piece, data.length))
  }
  return new Uint8Array(data.buffer, data.byteOffset, (data.length / 4) * 3)
}

/** The background of transparent pixels. */
const WHITE = 255

/** Composites a sample with this opacity (0..255) on white, rounded. */
const blend = (sample: number, alpha: number): number =>
  Math.trunc((sample * alpha + WHITE * (WHITE - alpha)) / WHITE + 0.5)

/** Composites the pixels of these bytes on white and moves them to their place in the three-byte layout. */
function paintOnWhite(rgba: Uint8ClampedArray, start: number, end: number): void {
  for (let from = start, to = (start / 4) * 3; from < end; from += 4, to += 3) {
    const alpha = rgba[from + 3]!
    rgba[to] = blend(rgba[from]!, alpha)
    rgba[to + 1] = blend(rgba[from + 1]!, alpha)
    rgba[to + 2] = blend(rgba[from + 2]!, alpha)
  }
}

/** The frame on a white canvas, averaged; the unchanged pixels when both steps would change nothing. */
async function onCanvas(
  rgb: Uint8Array,
  { width, height, frame }: WebpHeader,
  reduction: Reduction,
  pace: Pace,
): Promise<Raster> {
  if (reduction.step === 1 && frame.width === width && frame.height === height)
    return { data: rgb, width, height }
  const row = new Uint8Array(width * 3)
  const rowAt = (y: number): Uint8Array => {
    const frameRow = y - frame.y
    const start = frameRow * frame.width * 3
    row.fill(WHITE)
    if (frameRow >= 0 && frameRow < frame.height)
      row.set(rgb.subarray(start, start + frame.width * 3), frame.x * 3)
    return row
  }
  return averageRows({ width, height }, reduction, rowAt, pace)
}
