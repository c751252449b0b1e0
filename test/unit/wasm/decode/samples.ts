/** Generated pictures for tests of the decoders, and their decoding. */
import sharp, { type Sharp } from 'sharp'
import { sample } from '#test/support/client.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { type DecodeOptions, decode } from '#wasm/decode/decode.ts'
import { readHeader } from '#wasm/decode/header.ts'
import type { Photo } from '#wasm/imaging/orientation.ts'

const codecs = loadCodecs()

const FULL: DecodeOptions = { scale: 1, maxBytes: 2 ** 30 }

/** Reads the header and decodes, like a request. */
export const decodeFile = (bytes: Uint8Array, options: Partial<DecodeOptions> = {}): Promise<Photo> =>
  decode(bytes, readHeader(bytes), codecs, { ...FULL, ...options })

/** A detailed real photo, resized to this size. */
export const portrait = (width: number, height: number): Sharp =>
  sharp(sharpened(width, height), { raw: { width, height, channels: 3 } })

const rawPortrait = await sharp(await sample(1))
  .removeAlpha()
  .raw()
  .toBuffer({ resolveWithObject: true })

/** Nearest neighbours: each row keeps detail up to its end. */
function sharpened(width: number, height: number) {
  const { data, info } = rawPortrait
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = Math.floor((y * info.height) / height) * info.width + Math.floor((x * info.width) / width)
      pixels.set(data.subarray(from * 3, from * 3 + 3), (y * width + x) * 3)
    }
  }
  return pixels
}

const transparent = (image: Sharp) => image.ensureAlpha(0.5)

/** Every kind of file that decoders treat differently. */
export const ENCODINGS = {
  'baseline JPEG': image => image.jpeg(),
  'progressive JPEG': image => image.jpeg({ progressive: true }),
  'progressive JPEG at full chroma': image => image.jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
  'grey JPEG': image => image.toColourspace('b-w').jpeg(),
  'CMYK JPEG': image => image.toColourspace('cmyk').jpeg(),
  'progressive CMYK JPEG': image => image.toColourspace('cmyk').jpeg({ progressive: true }),
  PNG: image => image.png(),
  'interlaced PNG': image => image.png({ progressive: true }),
  'palette PNG': image => image.png({ palette: true, effort: 1 }),
  '16-bit PNG with transparency': image => transparent(image).toColourspace('rgb16').png(),
  'lossy WEBP': image => image.webp({ effort: 0 }),
  'lossy WEBP with transparency': image => transparent(image).webp({ effort: 0 }),
  'lossless WEBP': image => image.webp({ lossless: true, effort: 0 }),
} satisfies Record<string, (image: Sharp) => Sharp>

type Encoding = keyof typeof ENCODINGS

/** Files of one picture. */
export async function encode<Name extends Encoding>(picture: () => Sharp, names: readonly Name[]) {
  const files = await Promise.all(
    names.map(async name => [name, await ENCODINGS[name](picture()).toBuffer()] as const),
  )
  return Object.fromEntries(files) as Record<Name, Buffer<ArrayBuffer>>
}

export const COLOURS = {
  red: [230, 20, 30],
  green: [20, 200, 40],
  blue: [30, 40, 220],
  yellow: [240, 230, 20],
} as const

/** A picture of one colour. */
export const plain = (width: number, height: number, [r, g, b]: readonly [number, number, number]): Sharp =>
  sharp({ create: { width, height, channels: 3, background: { r, g, b } } })

/** Four quarters: red and green at the top, blue and yellow at the bottom. */
export function quarters(width: number, height: number): Sharp {
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [left, right] = y < height / 2 ? (['red', 'green'] as const) : (['blue', 'yellow'] as const)
      pixels.set(COLOURS[x < width / 2 ? left : right], (y * width + x) * 3)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** A photo in the stored form of an EXIF orientation. */
export function storedAs(upright: Uint8Array, orientation: number): Sharp {
  // Orientations 6 and 8 store the photo rotated to the left and to the right; 5 and 7 are mirrored, too.
  const turns: Record<number, number> = { 3: 180, 4: 180, 5: 270, 6: 270, 7: 90, 8: 90 }
  const mirrored = [2, 4, 5, 7].includes(orientation)
  return sharp(upright)
    .flop(mirrored)
    .rotate(turns[orientation] ?? 0)
}

/** A chunk of a WEBP. */
export function riffChunk(type: string, data = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** Mean absolute difference of samples. */
export function difference(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new Error(`${a.length} samples against ${b.length}`)
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum / a.length
}

/** Pixels that sharp decodes: RGB on white, 8 bits, in stored orientation. */
export const seenBySharp = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp(bytes).flatten({ background: 'white' }).toColourspace('srgb').removeAlpha().raw().toBuffer(),
  )

/** The JPEG with an invalid Huffman table. libjpeg exits by longjmp, and its instance is unusable afterwards. */
export function deadly(jpeg: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const killer = new Uint8Array(jpeg)
  const table = Buffer.from(killer).indexOf(Buffer.from([0xff, 0xc4]))
  killer.fill(0xff, table + 5, table + 21)
  return killer
}
