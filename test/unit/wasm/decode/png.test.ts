/** Each kind of PNG in the specification, compared with libvips. */
import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Inflate } from '#wasm/decode/inflate.ts'
import { decodeFile, difference, portrait, seenBySharp } from './samples.ts'

/** Samples per pixel and bit depths of each colour type. */
const KINDS = [
  { type: 0, samples: 1, depths: [1, 2, 4, 8, 16] },
  { type: 2, samples: 3, depths: [8, 16] },
  { type: 3, samples: 1, depths: [1, 2, 4, 8] },
  { type: 4, samples: 2, depths: [8, 16] },
  { type: 6, samples: 4, depths: [8, 16] },
]

const CASES = KINDS.flatMap(({ type, samples, depths }) => depths.map(depth => ({ type, samples, depth })))

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

interface PngSpec {
  width: number
  height: number
  depth: number
  type: number
  /** Filter bytes and filtered samples. */
  lines: Uint8Array
  extra?: Buffer[]
}

function png({ width, height, depth, type, lines, extra = [] }: PngSpec): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = depth
  head[9] = type
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...extra,
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', new Uint8Array()),
  ])
}

const palette = (depth: number) =>
  chunk(
    'PLTE',
    Uint8Array.from({ length: 3 * 2 ** depth }, (_, i) => (i * 89) & 255),
  )

describe('decodePng', () => {
  // Random samples, with valid filter bytes.
  it.each(CASES)(
    'reads colour type $type at $depth bits with any filters',
    async ({ type, samples, depth }) => {
      const size = fc.integer({ min: 1, max: 21 })
      await fc.assert(
        fc.asyncProperty(size, size, fc.infiniteStream(fc.nat(255)), async (width, height, random) => {
          const stride = Math.ceil((width * samples * depth) / 8)
          const lines = new Uint8Array((stride + 1) * height)
          for (let i = 0; i < lines.length; i++) lines[i] = random.next().value!
          for (let y = 0; y < height; y++) lines[y * (stride + 1)]! %= 5
          const extra = type === 3 ? [palette(depth)] : []
          const bytes = png({ width, height, depth, type, lines, extra })
          const { raster } = await decodeFile(bytes)
          // libvips blends 16 bits with white before it drops the lower 8.
          const rounding = depth === 16 ? 2 : 1
          expect(worst(raster.data, await seenBySharp(bytes))).toBeLessThanOrEqual(rounding)
        }),
        { numRuns: 4 },
      )
    },
  )

  it.each([
    { what: 'grey', type: 0, depth: 8, colour: [0, 70], line: [70, 71, 69, 70], white: [0, 3] },
    {
      what: 'grey of 16 bits',
      ...{ type: 0, depth: 16, colour: [7, 70], line: [7, 70, 7, 71, 8, 70, 7, 70], white: [0, 3] },
    },
    {
      what: 'RGB',
      ...{ type: 2, depth: 8 },
      colour: [0, 1, 0, 2, 0, 3],
      line: [1, 2, 3, 1, 2, 4, 1, 2, 3, 3, 2, 1],
      white: [0, 2],
    },
  ])('replaces the transparent colour of $what by white', async ({ type, depth, colour, line, white }) => {
    const extra = [chunk('tRNS', Uint8Array.from(colour))]
    const bytes = png({ width: 4, height: 1, depth, type, lines: Uint8Array.of(0, ...line), extra })
    const { raster } = await decodeFile(bytes)
    const isWhite = [0, 1, 2, 3].filter(x => raster.data.subarray(3 * x, 3 * x + 3).every(v => v === 255))
    expect(isWhite).toEqual(white)
    expect(raster.data).toEqual(await seenBySharp(bytes))
  })

  it.each([
    { width: 1, height: 1 },
    { width: 3, height: 2 },
    { width: 5, height: 9 },
    { width: 64, height: 33 },
  ])('reads an interlaced PNG of $width x $height', async ({ width, height }) => {
    const bytes = await portrait(width, height).png({ progressive: true, adaptiveFiltering: true }).toBuffer()
    const whole = await seenBySharp(bytes)
    expect((await decodeFile(bytes)).raster.data).toEqual(whole)
    const straight = await portrait(width, height).png().toBuffer()
    const [reduced, alike] = await Promise.all(
      [bytes, straight].map(file => decodeFile(file, { scale: 0.3 })),
    )
    expect(reduced!.raster).toEqual(alike!.raster)
  })

  it('decompresses no more data than the header announces', async () => {
    const pieces = vi.spyOn(Inflate.prototype, 'next')
    onTestFinished(() => pieces.mockRestore())
    const lines = new Uint8Array(20_000_000)
    const { raster } = await decodeFile(png({ width: 10, height: 10, depth: 8, type: 0, lines }))
    expect(raster.data).toEqual(new Uint8Array(300))
    expect(pieces).toHaveBeenCalledTimes(1)
  })

  it('averages the pixels of each block at a reduced scale', async () => {
    const lines = Uint8Array.of(0, 10, 20, 90, 0, 30, 40, 110)
    const bytes = png({ width: 3, height: 2, depth: 8, type: 0, lines })
    const { raster } = await decodeFile(bytes, { scale: 0.5 })
    expect(raster).toEqual({ width: 2, height: 1, data: Uint8Array.of(25, 25, 25, 100, 100, 100) })
  })

  it('fills the missing lines of a truncated file with grey, and refuses the file if half of them are missing', async () => {
    const lines = new Uint8Array(40 * 101).fill(200)
    for (let y = 0; y < 40; y++) lines[y * 101] = 0
    const spec = { width: 100, height: 40, depth: 8, type: 0 }
    const { raster } = await decodeFile(png({ ...spec, lines: lines.subarray(0, 30 * 101) }))
    expect(difference(raster.data.subarray(0, 30 * 300), new Uint8Array(30 * 300).fill(200))).toBe(0)
    expect(difference(raster.data.subarray(30 * 300), new Uint8Array(10 * 300).fill(128))).toBe(0)
    await expect(decodeFile(png({ ...spec, lines: lines.subarray(0, 19 * 101) }))).rejects.toMatchObject({
      code: 'BAD_IMAGE',
    })
  })
})

/** The greatest difference of two samples. */
function worst(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length)
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0)
}
