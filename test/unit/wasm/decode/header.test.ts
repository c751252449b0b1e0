/** The header of a photo: facts before decoding, and refusals. */
import fc from 'fast-check'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { pngChunk } from '#test/support/photos/png-writer.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { decodeFile, portrait, quarters, riffChunk } from './samples.ts'

/** The reason with which these bytes are refused as BAD_IMAGE. */
function refusal(bytes: Uint8Array) {
  try {
    readHeader(bytes)
  } catch (error) {
    expect(error).toMatchObject({ name: 'ServiceError', code: 'BAD_IMAGE' })
    return (error as { detail: { reason: string } }).detail.reason
  }
  throw new Error('the header was accepted')
}

/** A copy with some bytes replaced. */
function patched(bytes: Uint8Array, at: number, ...values: number[]) {
  const copy = new Uint8Array(bytes)
  copy.set(values, at)
  return copy
}

/** An APP1 segment with these bytes after "Exif". */
const exifOf = (tiff: readonly number[]) =>
  Uint8Array.of(0xff, 0xe1, 0, 8 + tiff.length, ...Buffer.from('Exif\0\0'), ...tiff)

/** The first box of an ISO media file. */
const ftyp = (brands: string) => Buffer.from(`\0\0\0\x1cftyp${brands}\0\0\0\x08meta`, 'latin1')

const plainJpeg = await quarters(60, 40).jpeg().toBuffer()
const plainPng = await quarters(60, 40).png().toBuffer()
const plainWebp = await quarters(60, 40).webp().toBuffer()

const gif = await quarters(60, 40).gif().toBuffer()

const progressive = await portrait(64, 64).jpeg({ progressive: true }).toBuffer()
/** The scans of `progressive`. */
const scans = progressive.subarray(progressive.indexOf(Uint8Array.of(0xff, 0xda)), progressive.length - 2)

/** The JPEG with these bytes before its end. */
const extended = (jpeg: Uint8Array, ...more: Uint8Array[]) =>
  Buffer.concat([jpeg.subarray(0, -2), ...more, jpeg.subarray(-2)])

/** Offset of the baseline frame's marker. */
const frameAt = plainJpeg.indexOf(Uint8Array.of(0xff, 0xc0))

/** A segment without content. */
const jpegSegment = (marker: number) => Buffer.from([0xff, marker, 0, 2])

/** The file with `count` copies of a part inserted at this offset. */
const withParts = (file: Buffer, at: number, part: Buffer, count: number) =>
  new Uint8Array(Buffer.concat([file.subarray(0, at), ...Array<Buffer>(count).fill(part), file.subarray(at)]))

const canvas = riffChunk('VP8X', Buffer.from([2, 0, 0, 0, 59, 0, 0, 39, 0, 0]))
const frame = riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), plainWebp.subarray(12)]))
const animation = Buffer.concat([
  plainWebp.subarray(0, 12),
  canvas,
  riffChunk('ANIM', Buffer.alloc(6)),
  frame,
])

const PARTS = [
  { what: 'comments of a JPEG', file: plainJpeg, at: 2, part: jpegSegment(0xfe) },
  { what: 'frames of an APNG', file: plainPng, at: 33, part: pngChunk('fcTL') },
  { what: 'empty pixels of a PNG', file: plainPng, at: plainPng.indexOf('IDAT') - 4, part: pngChunk('IDAT') },
  { what: 'XMP of a WEBP', file: plainWebp, at: plainWebp.length, part: riffChunk('XMP ') },
  { what: 'frames of a WEBP', file: animation, at: animation.length, part: frame },
]

describe('readHeader', () => {
  it.each([
    {
      file: 'a baseline JPEG',
      image: quarters(60, 40).jpeg(),
      header: { components: 3, progressive: false, coefficientBytes: 0 },
    },
    {
      file: 'a progressive JPEG at 4:2:0',
      image: quarters(60, 40).jpeg({ progressive: true }),
      header: { progressive: true, coefficientBytes: 64 * 48 * 3 },
    },
    {
      file: 'a CMYK JPEG',
      image: quarters(60, 40).toColourspace('cmyk').jpeg(),
      header: { components: 4, adobe: true },
    },
    {
      file: 'a PNG',
      image: quarters(60, 40).png(),
      header: { bitDepth: 8, colour: { name: 'rgb' }, interlaced: false },
    },
    {
      file: 'an interlaced PNG with a palette',
      image: quarters(60, 40).png({ palette: true, colours: 4, progressive: true }),
      header: { bitDepth: 2, colour: { name: 'palette' }, interlaced: true },
    },
    { file: 'a lossy WEBP', image: quarters(60, 40).webp(), header: { coding: 'lossy', animated: false } },
    {
      file: 'a lossless WEBP',
      image: quarters(60, 40).webp({ lossless: true }),
      header: { coding: 'lossless' },
    },
    {
      file: 'a lossy WEBP with transparency',
      image: quarters(60, 40).ensureAlpha(0.5).webp(),
      header: { coding: 'lossy-alpha' },
    },
  ])('reads $file', async ({ image, header }) => {
    expect(readHeader(await image.toBuffer())).toMatchObject({
      width: 60,
      height: 40,
      orientation: 1,
      ...header,
    })
  })

  it.each(['jpeg', 'png', 'webp'] as const)('reads each EXIF orientation from a %s', async format => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const bytes = await quarters(60, 40).withMetadata({ orientation }).toFormat(format).toBuffer()
      expect(readHeader(bytes)).toMatchObject({ width: 60, height: 40, orientation })
    }
  })

  it('reads an orientation of type BYTE, SHORT or LONG in both byte orders, and ignores others', () => {
    const orientationOf = (...entry: number[]) =>
      readHeader(Buffer.concat([plainJpeg.subarray(0, 2), exifOf(entry), plainJpeg.subarray(2)])).orientation
    const BIG = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12]
    const LITTLE = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01]
    for (const value of [1, 6, 8]) {
      expect(orientationOf(...BIG, 0, 1, 0, 0, 0, 1, value, 0, 0, 0)).toBe(value)
      expect(orientationOf(...BIG, 0, 3, 0, 0, 0, 1, 0, value, 0, 0)).toBe(value)
      expect(orientationOf(...BIG, 0, 4, 0, 0, 0, 1, 0, 0, 0, value)).toBe(value)
      expect(orientationOf(...LITTLE, 1, 0, 1, 0, 0, 0, value, 0, 0, 0)).toBe(value)
      expect(orientationOf(...LITTLE, 3, 0, 1, 0, 0, 0, value, 0, 0, 0)).toBe(value)
      expect(orientationOf(...LITTLE, 4, 0, 1, 0, 0, 0, value, 0, 0, 0)).toBe(value)
    }
    for (const [type, ...value] of [
      [4, 6, 0, 1],
      [3, 0, 0, 0],
      [3, 9, 0, 0],
      [2, 6, 0, 0],
    ] as const)
      expect(orientationOf(...LITTLE, type, 0, 1, 0, 0, 0, ...value, 0)).toBe(1)
  })

  it('refuses a JPEG of too many scans', () => {
    expect(refusal(extended(progressive, ...Array<Uint8Array>(100).fill(scans)))).toMatch(/too many scans/)
  })

  it('counts the scans of a JPEG that a reserved marker hides from readers of segments', () => {
    const hidden = Buffer.concat(Array<Uint8Array>(100).fill(scans.subarray(0, 14)))
    const reserved = Uint8Array.of(0xff, 0x50, hidden.length >> 8, hidden.length & 255)
    expect(refusal(extended(progressive, reserved, hidden))).toMatch(/too many scans/)
  })

  it('allows a larger JPEG fewer scans', () => {
    const frame = progressive.indexOf(Uint8Array.of(0xff, 0xc2))
    const large = patched(progressive, frame + 5, 40, 0, 40, 0)
    // The least length of a file with these dimensions.
    const filling = Buffer.alloc(120_000)
    expect(readHeader(Buffer.concat([large, filling]))).toMatchObject({ width: 10_240, height: 10_240 })
    expect(refusal(Buffer.concat([extended(large, scans, scans), filling]))).toMatch(/too many scans/)
  })

  it.each([
    { what: 'an empty file', bytes: new Uint8Array(), reason: /empty/ },
    {
      what: 'a text',
      bytes: Buffer.from('<html>not found</html>'),
      reason: /not a JPEG, PNG or WEBP/,
    },
    {
      what: 'a GIF',
      bytes: gif,
      reason: /^The photo is a GIF image, not a JPEG, PNG or WEBP image\. Convert/,
    },
    {
      what: 'a photo of an iPhone',
      bytes: ftyp('heic\0\0\0\0mif1heic'),
      reason: /HEIC.* Most Compatible\.$/,
    },
    { what: 'a sequence of photos of an iPhone', bytes: ftyp('msf1\0\0\0\0hevc'), reason: /HEIC/ },
    {
      what: 'the base64 of a photo',
      bytes: Buffer.from(plainJpeg.toString('base64')),
      reason: /base64 text.* Send the file itself/,
    },
    {
      what: 'the data: URL of a photo',
      bytes: Buffer.from(`data:image/png;base64,${plainPng.toString('base64')}`),
      reason: /base64 text/,
    },
    { what: 'a video', bytes: ftyp('isom\0\0\0\0mp42'), reason: /^The photo is not a JPEG, PNG or WEBP/ },
    { what: 'a JPEG cut before its frame', bytes: plainJpeg.subarray(0, frameAt), reason: /cut off/ },
    { what: 'a PNG cut within IHDR', bytes: plainPng.subarray(0, 20), reason: /cut off/ },
    { what: 'a WEBP cut within its size', bytes: plainWebp.subarray(0, 27), reason: /cut off/ },
    { what: 'an arithmetic-coded JPEG', bytes: patched(plainJpeg, frameAt + 1, 0xc9), reason: /arithmetic/ },
    { what: 'a 12-bit JPEG', bytes: patched(plainJpeg, frameAt + 4, 12), reason: /8 bits/ },
    {
      what: 'a JPEG of two components',
      bytes: patched(plainJpeg, frameAt + 9, 2),
      reason: /grey, colour and CMYK/,
    },
    { what: 'a JPEG of height 0', bytes: patched(plainJpeg, frameAt + 5, 0, 0), reason: /no pixels/ },
    { what: 'a PNG of colour type 5', bytes: patched(plainPng, 25, 5), reason: /coding/ },
    {
      what: 'a PNG of 20,000 x 20,000',
      bytes: patched(plainPng, 16, 0, 0, 78, 32, 0, 0, 78, 32),
      reason: /20000 x 20000/,
    },
    {
      what: 'a PNG of 10,000 x 10,000 with 64 bits',
      bytes: patched(plainPng, 16, 0, 0, 39, 16, 0, 0, 39, 16, 16, 6),
      reason: /too much data/,
    },
    {
      what: 'a JPEG that announces more blocks than it has bits for',
      bytes: patched(plainJpeg, frameAt + 5, 40, 0, 40, 0),
      reason: /beyond use/,
    },
    {
      what: 'a PNG that announces more pixels than its data can contain',
      bytes: patched(plainPng, 16, 0, 0, 39, 16, 0, 0, 39, 16),
      reason: /beyond use/,
    },
  ])('refuses $what', ({ bytes, reason }) => {
    expect(refusal(bytes)).toMatch(reason)
  })

  it('returns a header within the limits or BAD_IMAGE for any bytes', () => {
    const start = fc
      .constantFrom(plainJpeg, plainPng, plainWebp, new Uint8Array())
      .chain(file => fc.nat(Math.min(file.length, 200)).map(length => file.subarray(0, length)))
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (head, tail) => {
        const bytes = new Uint8Array([...head, ...tail])
        try {
          const { width, height, orientation } = readHeader(bytes)
          expect(width).toBeGreaterThan(0)
          expect(height).toBeGreaterThan(0)
          expect(Math.max(width, height)).toBeLessThanOrEqual(PHOTO_LIMITS.side)
          expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(orientation)
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_IMAGE' })
        }
      }),
      { numRuns: 300 },
    )
  })

  it.each(PARTS)('refuses PHOTO_LIMITS.parts $what', ({ file, at, part }) => {
    const bytes = withParts(file, at, part, PHOTO_LIMITS.parts)
    expect(refusal(bytes)).toBe('The photo has too much metadata, or too many frames.')
  })

  it.each([
    { what: 'fill bytes', bytes: Buffer.alloc(100_000, 0xff) },
    { what: 'restart markers', bytes: Buffer.alloc(100_000, Buffer.from([0xff, 0xd0])) },
  ])('accepts 100,000 bytes of $what between the segments of a JPEG', async ({ bytes }) => {
    const photo = await decodeFile(withParts(plainJpeg, 2, bytes, 1))
    expect(photo).toMatchObject({ width: 60, height: 40 })
    photo.release()
  })
})
