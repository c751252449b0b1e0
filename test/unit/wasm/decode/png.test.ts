/** Each kind of PNG in the specification, compared with libvips. */
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { pngChunk, writePng } from '#test/support/photos/png-writer.ts'
import { decodeFile, difference, portrait, seenBySharp } from './samples.ts'

/** Samples per pixel and bit depths of each colour type, and the difference by rounding where it has an opacity. */
const KINDS = [
  { type: 0, samples: 1, depths: [1, 2, 4, 8, 16], rounding: 0 },
  { type: 2, samples: 3, depths: [8, 16], rounding: 0 },
  { type: 3, samples: 1, depths: [1, 2, 4, 8], rounding: 0 },
  { type: 4, samples: 2, depths: [8, 16], rounding: 1 },
  { type: 6, samples: 4, depths: [8, 16], rounding: 1 },
]

const pixels = (lines: Uint8Array) => pngChunk('IDAT', deflateSync(lines))

describe('decodePng', () => {
  // Random samples, with valid filter bytes.
  it.each(KINDS.flatMap(kind => kind.depths.map(depth => ({ ...kind, depth }))))(
    'reads colour type $type at $depth bits with any filters',
    async ({ type, samples, depth, rounding }) => {
      const size = fc.integer({ min: 1, max: 21 })
      await fc.assert(
        fc.asyncProperty(size, size, fc.infiniteStream(fc.nat(255)), async (width, height, random) => {
          const stride = 1 + Math.ceil((width * samples * depth) / 8)
          const lines = Uint8Array.from({ length: stride * height }, (_, i) =>
            i % stride === 0 ? random.next().value! % 5 : random.next().value!,
          )
          const palette = Uint8Array.from({ length: 3 * 2 ** depth }, (_, i) => i * 89)
          const extra = type === 3 ? [pngChunk('PLTE', palette)] : []
          const bytes = writePng({ width, height, depth, type }, [...extra, pixels(lines)])
          const [{ raster }, seen] = [await decodeFile(bytes), await seenBySharp(bytes)]
          expect(raster.data.length).toBe(seen.length)
          const off = seen.map((sample, i) => Math.abs(sample - raster.data[i]!))
          expect(Math.max(...off)).toBeLessThanOrEqual(rounding)
        }),
        { numRuns: 4 },
      )
    },
  )

  it.each([
    { what: 'grey', type: 0, depth: 8, colour: [0, 70], line: [70, 71, 69, 70] },
    { what: 'grey of 16 bits', type: 0, depth: 16, colour: [7, 70], line: [7, 70, 7, 71, 8, 70, 7, 70] },
    {
      what: 'RGB',
      type: 2,
      depth: 8,
      colour: [0, 1, 0, 2, 0, 3],
      line: [1, 2, 3, 1, 2, 4, 1, 2, 3, 3, 2, 1],
    },
    { what: 'a palette', type: 3, depth: 8, colour: [255, 0], line: [0, 1, 2, 1] },
  ])('replaces the transparent colour of $what by white', async ({ type, depth, colour, line }) => {
    const palette = pngChunk('PLTE', Uint8Array.of(10, 20, 30, 40, 50, 60, 70, 80, 90))
    const extra = [...(type === 3 ? [palette] : []), pngChunk('tRNS', Uint8Array.from(colour))]
    const spec = { width: 4, height: 1, depth, type }
    const bytes = writePng(spec, [...extra, pixels(Uint8Array.of(0, ...line))])
    const { raster } = await decodeFile(bytes)
    expect(raster.data).toEqual(await seenBySharp(bytes))
    expect(raster.data).toContain(255)
  })

  it('reads a file whose header names a smaller window than its data need', async () => {
    const [width, height] = [40, 40]
    const line = Uint8Array.from({ length: 1 + 3 * width }, (_, i) => (i === 0 ? 0 : (i * i * 31) % 256))
    const lines = Uint8Array.from({ length: line.length * height }, (_, i) =>
      i % line.length === 0 ? 0 : line[(i + Math.floor(i / line.length / 9) * 7) % line.length]!,
    )
    const data = deflateSync(lines)
    // A window of 256 bytes.
    data.set([0x08, 0x1d])
    const { raster } = await decodeFile(
      writePng({ width, height, depth: 8, type: 2 }, [pngChunk('IDAT', data)]),
    )
    const whole = await decodeFile(writePng({ width, height, depth: 8, type: 2 }, [pixels(lines)]))
    expect(raster.data).toEqual(whole.raster.data)
  })

  it.each([
    [1, 1],
    [3, 2],
    [5, 9],
    [64, 33],
  ])('reads an interlaced PNG of %i x %i', async (width, height) => {
    const bytes = await portrait(width, height).png({ progressive: true, adaptiveFiltering: true }).toBuffer()
    expect((await decodeFile(bytes)).raster.data).toEqual(await seenBySharp(bytes))
    const straight = await portrait(width, height).png().toBuffer()
    const [reduced, alike] = await Promise.all(
      [bytes, straight].map(file => decodeFile(file, { scale: 0.3 })),
    )
    expect(reduced!.raster).toEqual(alike!.raster)
  })

  it('decompresses no more data than the header announces', async () => {
    const pace = async (microseconds: number) => expect(microseconds).toBe(0)
    const bytes = writePng({ width: 10, height: 10, depth: 8, type: 0 }, [pixels(new Uint8Array(20_000_000))])
    const { raster } = await decodeFile(bytes, { pace })
    expect(raster.data).toEqual(new Uint8Array(300))
  })

  it('averages the pixels of each block at a reduced scale', async () => {
    const lines = Uint8Array.of(0, 10, 20, 90, 0, 30, 40, 110)
    const bytes = writePng({ width: 3, height: 2, depth: 8, type: 0 }, [pixels(lines)])
    const { raster } = await decodeFile(bytes, { scale: 0.5 })
    expect(raster).toEqual({ width: 2, height: 1, data: Uint8Array.of(25, 25, 25, 100, 100, 100) })
  })

  it('fills the missing lines of a truncated file with grey, and refuses the file if half of them are missing', async () => {
    const lines = new Uint8Array(40 * 101).fill(200)
    for (let y = 0; y < 40; y++) lines[y * 101] = 0
    const withLines = (count: number) =>
      decodeFile(
        writePng({ width: 100, height: 40, depth: 8, type: 0 }, [pixels(lines.subarray(0, count * 101))]),
      )
    const { raster } = await withLines(30)
    expect(difference(raster.data.subarray(0, 30 * 300), new Uint8Array(30 * 300).fill(200))).toBe(0)
    expect(difference(raster.data.subarray(30 * 300), new Uint8Array(10 * 300).fill(128))).toBe(0)
    await expect(withLines(19)).toBeRefused('BAD_IMAGE')
  })

  it('reads all pixels of a file that ends before the checksum of its pixels', async () => {
    const file = writePng({ width: 500, height: 300, depth: 8, type: 0 }, [pixels(new Uint8Array(300 * 501))])
    const { raster } = await decodeFile(file.subarray(0, -20))
    expect(raster.data).toEqual(new Uint8Array(300 * 1500))
  })
})
