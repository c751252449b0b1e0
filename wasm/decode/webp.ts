/** WEBP -> raster, by libwebp. Of an animation the first frame; transparent pixels are shown on white paper. */
import openLibwebp from '@jsquash/webp/codec/dec/webp_dec.js'
import type { Raster } from '../image.ts'
import { InstancePool } from './instance-pool.ts'
import { blend } from './png-colours.ts'
import { brokenPixels } from './refusal.ts'
import { firstPicture, RIFF_HEADER_LENGTH } from './webp-chunks.ts'
import type { WebpHeader } from './webp-header.ts'

interface Libwebp {
  readonly memory: WebAssembly.Memory
  /** RGBA, copied out of the memory; null when the file is no good. May throw what is no Error. */
  decode(file: Uint8Array): { data: Uint8ClampedArray; width: number; height: number } | null
}

/** The name that the minified build gives to its exported memory. */
const MEMORY_EXPORT = 's'

const pool = new InstancePool<Libwebp>()

/** Decodes at full size: the build can't reduce. BAD_IMAGE when the file is damaged or cut off anywhere. */
export async function decodeWebp(
  bytes: Uint8Array,
  header: WebpHeader,
  module: WebAssembly.Module,
): Promise<Raster> {
  const libwebp = pool.take(module) ?? (await instantiate(module))
  const picture = libwebp.decode(header.animated ? stillFile(bytes, header) : bytes)
  pool.giveBack(module, libwebp)
  if (picture?.width !== header.width || picture.height !== header.height) throw brokenPixels()
  return { data: toRgb(picture.data), width: header.width, height: header.height }
}

/** The glue's promise is kept by the time the module is instantiated, so waiting for it never leaves the microtasks. */
async function instantiate(module: WebAssembly.Module): Promise<Libwebp> {
  let memory: WebAssembly.Memory | undefined
  const libwebp = await openLibwebp({
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
  return { memory, decode: file => libwebp.decode(file) }
}

/** RFC 9649, 2.7. Its flags stay 0: libwebp goes by the chunks that follow. */
const EXTENDED_HEADER_LENGTH = 18

/** The first frame of an animation, wrapped as a file of its own. */
function stillFile(bytes: Uint8Array, { width, height }: WebpHeader): Uint8Array {
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
  // 24 bits each of width less one and height less one.
  view.setUint16(24, width - 1, true)
  view.setUint16(27, height - 1, true)
  let at = start
  for (const chunk of chunks) {
    file.set(chunk, at)
    at += chunk.length + (chunk.length % 2)
  }
  return file
}

/** Four bytes a pixel become three, in place: the answer is a view of the same memory. */
function toRgb(rgba: Uint8ClampedArray): Uint8Array {
  let to = 0
  for (let from = 0; from < rgba.length; from += 4, to += 3) {
    const alpha = rgba[from + 3]!
    rgba[to] = blend(rgba[from]!, alpha)
    rgba[to + 1] = blend(rgba[from + 1]!, alpha)
    rgba[to + 2] = blend(rgba[from + 2]!, alpha)
  }
  return new Uint8Array(rgba.buffer, rgba.byteOffset, to)
}
