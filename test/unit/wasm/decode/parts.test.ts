/** Photos with more segments, chunks or frames than PHOTO_LIMITS.parts are refused by their header. */
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { pngChunk } from '#test/support/photos/png-writer.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { decodeFile, portrait, riffChunk } from './samples.ts'

const [jpeg, png, webp] = await Promise.all([
  portrait(120, 80).jpeg().toBuffer(),
  portrait(120, 80).png().toBuffer(),
  portrait(120, 80).webp().toBuffer(),
])

/** A segment without content. */
const jpegSegment = (marker: number): Buffer => Buffer.from([0xff, marker, 0, 2])

/** The file with `count` copies of a part inserted at this offset. */
const withParts = (file: Buffer, at: number, part: Buffer, count: number): Uint8Array =>
  new Uint8Array(Buffer.concat([file.subarray(0, at), ...Array<Buffer>(count).fill(part), file.subarray(at)]))

const canvas = riffChunk('VP8X', Buffer.from([2, 0, 0, 0, 119, 0, 0, 79, 0, 0]))
const frame = riffChunk('ANMF', Buffer.concat([Buffer.alloc(16), webp.subarray(12)]))
const animation = Buffer.concat([webp.subarray(0, 12), canvas, riffChunk('ANIM', Buffer.alloc(6)), frame])

const PARTS = [
  { what: 'comments of a JPEG', file: jpeg, at: 2, part: jpegSegment(0xfe) },
  { what: 'frames of an APNG', file: png, at: 33, part: pngChunk('fcTL') },
  { what: 'empty pixels of a PNG', file: png, at: png.indexOf('IDAT') - 4, part: pngChunk('IDAT') },
  { what: 'XMP of a WEBP', file: webp, at: webp.length, part: riffChunk('XMP ') },
  { what: 'frames of a WEBP', file: animation, at: animation.length, part: frame },
]

describe('readHeader', () => {
  it.each(PARTS)('refuses PHOTO_LIMITS.parts $what', ({ file, at, part }) => {
    const bytes = withParts(file, at, part, PHOTO_LIMITS.parts)
    expect(() => readHeader(bytes)).toThrow(
      expect.objectContaining({
        code: 'BAD_IMAGE',
        detail: { reason: 'The photo has too much metadata, or too many frames.' },
      }),
    )
  })

  it.each([
    { what: 'fill bytes', bytes: Buffer.alloc(100_000, 0xff) },
    { what: 'restart markers', bytes: Buffer.alloc(100_000, Buffer.from([0xff, 0xd0])) },
  ])('accepts 100,000 bytes of $what between the segments of a JPEG', async ({ bytes }) => {
    const photo = await decodeFile(withParts(jpeg, 2, bytes, 1))
    expect(photo).toMatchObject({ width: 120, height: 80 })
    photo.release()
  })
})
