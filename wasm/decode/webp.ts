/**
 * Decodes WEBPs with libwebp: still pictures, or the first frame of an animation. Transparent pixels are composited
 * on white.
 */

import { averageRows, PIXEL_US, type Reduction, ROWS } from '../imaging/box-average.ts'
import type { Size } from '../imaging/geometry.ts'
import type { Raster } from '../imaging/orientation.ts'
import type { Pace } from '../runtime/pace.ts'
import { WEBP_POOLED, webpHeapBytes } from './budget.ts'
import { InstancePool } from './instance-pool.ts'
import { brokenPixels } from './photo-file.ts'
import type { WebpHeader } from './webp-header.ts'
import { firstPicture, RIFF_HEADER_LENGTH } from './webp-header.ts'

/** Exports of the module: C functions on addresses in its memory. Functions of libwebp return 0 for an invalid file. */
interface Libwebp {
  readonly memory: WebAssembly.Memory
  malloc(length: number): number
  free(address: number): void
  WebPGetInfo(file: number, fileLength: number, width: number, height: number): number
  WebPDecodeRGBAInto(
    file: number,
    fileLength: number,
    pixels: number,
    length: number,
    bytesPerRow: number,
  ): number
}

/** Bytes of a WebAssembly memory page, and pages that the module has at first. */
const MEMORY_PAGE_BYTES = 65_536
const INITIAL_PAGES = 16

/** Idle decoders, whose memories grow to WEBP_POOLED at most. */
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
  const most = webpHeapBytes(header)
  const isPooled = most === WEBP_POOLED
  const libwebp = (isPooled && webpPool.take(module)) || instantiate(module, most)
  const rgba = readPixels(libwebp, header.animated ? stillFile(bytes, header) : bytes, header.frame)
  if (isPooled) webpPool.giveBack(module, libwebp)
  const rgb = await toRgb(rgba, header.frame.width, pace)
  return onCanvas(rgb, header, reduction, pace)
}

/** Instantiates libwebp with a memory of at most `most` bytes. The file declares its own size, and may need more than its price. */
function instantiate(module: WebAssembly.Module, most: number): Libwebp {
  const maximum = Math.floor(most / MEMORY_PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum })
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  return { ...(exports as unknown as Libwebp), memory }
}

/** RGBA pixels, copied out of the memory. Throws BAD_IMAGE unless the file has all pixels of a picture of this size. */
function readPixels(libwebp: Libwebp, file: Uint8Array, { width, height }: Size): Uint8Array {
  const { memory, malloc, free, WebPGetInfo, WebPDecodeRGBAInto } = libwebp
  const length = 4 * width * height
  const [at, pixels, size] = [malloc(file.length), malloc(length), malloc(8)]
  if (!at || !pixels || !size) throw brokenPixels()
  new Uint8Array(memory.buffer).set(file, at)
  const isRead = WebPGetInfo(at, file.length, size, size + 4) !== 0
  const [foundWidth, foundHeight] = new Uint32Array(memory.buffer, size, 2)
  // A smaller picture would leave pixels of an earlier photo in the buffer.
  if (!isRead || foundWidth !== width || foundHeight !== height) throw brokenPixels()
  if (!WebPDecodeRGBAInto(at, file.length, pixels, length, 4 * width)) throw brokenPixels()
  const copy = new Uint8Array(memory.buffer, pixels, length).slice()
  for (const address of [at, pixels, size]) free(address)
  return copy
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
async function toRgb(data: Uint8Array, width: number, pace: Pace): Promise<Uint8Array> {
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
const blend = (sample: number, alpha: number) =>
  Math.trunc((sample * alpha + WHITE * (WHITE - alpha)) / WHITE + 0.5)

/** Composites the pixels of these bytes on white and moves them to their place in the three-byte layout. */
function paintOnWhite(rgba: Uint8Array, start: number, end: number) {
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
