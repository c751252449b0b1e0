/** Damaged and forged photos: small valid files of every format with random changes, and files made to do harm. */
import { deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { sample } from '../client.ts'
import { pngChunk, writePng } from './png-writer.ts'

export type Bytes = Uint8Array<ArrayBuffer>

const bytesOf = (buffer: Uint8Array) => new Uint8Array(buffer)

/** A face, small enough to be analysed thousands of times. */
const face = sharp(await sample(1)).extract({ left: 1450, top: 230, width: 240, height: 240 })
const portrait = sharp(await face.resize(112, 96, { fit: 'fill' }).png().toBuffer())

async function animation(): Promise<Bytes> {
  const frame = await portrait.clone().resize(16).png().toBuffer()
  const joined = sharp(Array(3).fill(frame), { join: { animated: true } })
  return bytesOf(await joined.webp({ quality: 1, effort: 0 }).toBuffer())
}

/** Valid files, one for each variant of the formats that the service reads. */
export const WHOLE: readonly Bytes[] = [
  ...(await Promise.all(
    [
      portrait.clone().jpeg(),
      portrait.clone().jpeg({ progressive: true }),
      portrait.clone().jpeg({ chromaSubsampling: '4:4:4' }).withMetadata({ orientation: 6 }),
      portrait.clone().toColourspace('cmyk').jpeg(),
      portrait.clone().toColourspace('b-w').jpeg(),
      portrait.clone().png(),
      portrait.clone().png({ progressive: true }).withMetadata({ orientation: 3 }),
      portrait.clone().png({ palette: true, colours: 16 }),
      portrait.clone().ensureAlpha(0.5).toColourspace('rgb16').png(),
      portrait.clone().webp(),
      portrait.clone().webp({ lossless: true }).withMetadata({ orientation: 8 }),
      portrait.clone().ensureAlpha(0.5).webp(),
    ].map(async image => bytesOf(await image.toBuffer())),
  )),
  await animation(),
]

const isPng = (file: Uint8Array) => file[0] === 0x89
const isJpeg = (file: Uint8Array) => file[0] === 0xff

/**
 * Offsets at which the parts of the file begin: the segments of a JPEG, the chunks of a PNG or WEBP. The data of a JPEG's scan
 * belongs to the segment before it.
 */
function beginnings(file: Uint8Array) {
  const found = [0]
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (isJpeg(file)) {
    for (let at = 2; at + 1 < file.length; at++)
      if (file[at] === 0xff && file[at + 1]! >= 0xc0 && file[at + 1]! < 0xff) found.push(at)
    return found
  }
  for (let at = isPng(file) ? 8 : 12; at + 8 <= file.length; ) {
    found.push(at)
    const length = view.getUint32(at + (isPng(file) ? 0 : 4), !isPng(file))
    at += isPng(file) ? 12 + length : 8 + length + (length % 2)
  }
  return found
}

function partsOf(file: Uint8Array) {
  const starts = beginnings(file)
  return starts.map((start, i) => file.subarray(start, starts[i + 1] ?? file.length))
}

const joined = (parts: readonly Uint8Array[]) => bytesOf(Buffer.concat(parts))

/** A place in a file of any length, as a fraction 0..1. Uniform: with its bias, fast-check would mostly choose the beginning. */
const PLACES = 2 ** 30
const share = fc.noBias(fc.nat(PLACES - 1)).map(place => place / PLACES)
const at = (place: number, length: number) => Math.floor(place * length)

/** Bytes of a false number in a header. */
const lie = fc.oneof(
  fc.constantFrom([0, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [255, 255, 255, 255], [127, 255, 255, 255]),
  fc.constantFrom([0, 0, 64, 0], [64, 0, 64, 0], [0, 0, 255, 255], [255, 63, 255, 63]),
  fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }),
)

type Damage = (file: Bytes) => Bytes

function overwritten(file: Uint8Array, start: number, values: readonly number[]) {
  const copy = bytesOf(file)
  for (const [i, value] of values.entries()) if (start + i < copy.length) copy[start + i] = value
  return copy
}

/** Changes single bytes, half of them in the headers. */
const flips: fc.Arbitrary<Damage> = fc
  .array(fc.tuple(share, fc.nat(255), fc.boolean()), { minLength: 1, maxLength: 8 })
  .map(changes => file => {
    const copy = bytesOf(file)
    for (const [place, value, early] of changes)
      copy[at(place, early ? Math.min(700, copy.length) : copy.length)] = value
    return copy
  })

const cut: fc.Arbitrary<Damage> = share.map(place => file => file.slice(0, at(place, file.length)))

const grown: fc.Arbitrary<Damage> = fc
  .tuple(share, fc.uint8Array({ maxLength: 400 }))
  .map(([place, more]) => file => {
    const here = at(place, file.length + 1)
    return joined([file.subarray(0, here), more, file.subarray(here)])
  })

/** Drops, doubles or swaps parts: chunks out of order, two SOS, no DHT. The signature stays: without it the file is no photo. */
const rearranged: fc.Arbitrary<Damage> = fc
  .tuple(fc.constantFrom('drop', 'double', 'swap'), share, share)
  .map(([how, one, other]) => file => {
    const parts = partsOf(file)
    if (parts.length === 1) return file
    const [i, j] = [one, other].map(place => 1 + at(place, parts.length - 1)) as [number, number]
    if (how === 'drop') parts.splice(i, 1)
    else if (how === 'double') parts.splice(j, 0, parts[i]!)
    else [parts[i], parts[j]] = [parts[j]!, parts[i]!]
    return joined(parts)
  })

/** Changes the length of a part, or a number in its data: a size, a depth, a count. */
const lied: fc.Arbitrary<Damage> = fc
  .tuple(share, lie, fc.boolean(), fc.nat(12))
  .map(([place, values, isLength, further]) => file => {
    const starts = beginnings(file)
    const start = starts[at(place, starts.length)]!
    const [length, data] = isJpeg(file) ? [2, 4] : isPng(file) ? [0, 8] : [4, 8]
    return isLength
      ? overwritten(file, start + length, isJpeg(file) ? values.slice(2) : values)
      : overwritten(file, start + data + further, values)
  })

/** One to three changes of a file. */
const damages = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: flips },
    { weight: 2, arbitrary: cut },
    { weight: 1, arbitrary: grown },
    { weight: 3, arbitrary: rearranged },
    { weight: 3, arbitrary: lied },
  ),
  { minLength: 1, maxLength: 3 },
)

/** A valid photo, damaged one to three times. */
export const brokenPhoto: fc.Arbitrary<Bytes> = fc
  .tuple(fc.constantFrom(...WHOLE), damages)
  .map(([file, steps]) => steps.reduce((bytes, damage) => damage(bytes), file))

/** Some 200 KB that inflate to 200 MB. */
const bomb = deflateSync(Buffer.alloc(200_000_000))

const application = (marker: number, data: Uint8Array) => {
  const segment = Buffer.alloc(4 + data.length)
  segment.writeUInt16BE(0xff00 | marker, 0)
  segment.writeUInt16BE(2 + data.length, 2)
  segment.set(data, 4)
  return segment
}

/** EXIF whose directory says that it has 65,535 entries, and that the next one is itself. */
const endlessExif = () => {
  const exif = Buffer.alloc(60_000)
  exif.write('Exif\0\0MM\0*\0\0\0\x08\xff\xff', 'latin1')
  exif.writeUInt32BE(8, exif.length - 4)
  return application(0xe1, exif)
}

const [jpeg, , , , , png] = WHOLE as [Bytes, Bytes, Bytes, Bytes, Bytes, Bytes]

/** Forged files by their attack. */
export const FORGED: Readonly<Record<string, Bytes>> = {
  'a PNG with a text of 200 MB': joined([
    png.subarray(0, 33),
    pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), bomb])),
    png.subarray(33),
  ]),
  'a PNG with a profile of 200 MB': joined([
    png.subarray(0, 33),
    pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), bomb])),
    png.subarray(33),
  ]),
  'a PNG of 100 Mpx in 12 KB': bytesOf(
    writePng({ width: 10_000, height: 10_000, depth: 1, type: 0 }, [
      pngChunk('IDAT', deflateSync(Buffer.alloc(10_000 * 1251))),
    ]),
  ),
  'a JPEG with endless EXIF': joined([jpeg.subarray(0, 2), endlessExif(), endlessExif(), jpeg.subarray(2)]),
  'a JPEG with another behind it': joined([jpeg, jpeg]),
}
