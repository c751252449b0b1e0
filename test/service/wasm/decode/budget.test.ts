/** Decoding: memory and work known from the header and never below the real use, and concurrent decodes. */
import { randomFillSync } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import { DECODE_LIMITS } from '#edge/vision/photo-analyzer.ts'
import { pngChunk, writePng } from '#test/support/photos/png-writer.ts'
import { countMemory } from '#test/support/wasm-memories.ts'
import { COLOURS, decodeFile, ENCODINGS, encode, plain, portrait } from '#test/unit/wasm/decode/samples.ts'
import {
  affordableReduction,
  decodeBytes,
  decodeEffort,
  ExceedsDecodeLimits,
  type Reservation,
  reduce,
} from '#wasm/decode/budget.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { decode } from '#wasm/decode/decode.ts'
import { type Header, readHeader } from '#wasm/decode/header.ts'

const MB = 2 ** 20

/** Tolerance: WebAssembly memory grows in pages, instances start with a few, and small arrays are collected late. */
const SLACK = MB

const noise = (width: number, height: number) =>
  sharp(randomFillSync(Buffer.alloc(width * height * 3)), { raw: { width, height, channels: 3 } })

/** The largest picture needs more than the initial memory of a decoder. Noise gives the largest files. */
const PICTURES = [portrait(1, 1), portrait(1500, 1300), noise(700, 600)]

it.each(Object.entries(ENCODINGS))(
  'decodeBytes of a %s covers the memory that decoding takes',
  { tags: 'long' },
  async (_, kind) => {
    for (const picture of PICTURES) {
      const bytes = await kind(picture.clone()).toBuffer()
      const header = readHeader(bytes)
      for (const scale of [1, 0.25]) {
        // Fresh modules have no idle instance: all memory belongs to this photo.
        const codecs = loadCodecs()
        const asked = decodeBytes(header, reduce(header, scale))
        const { result, wasm, arrays } = await countMemory(() =>
          decode(bytes, header, codecs, { scale, maxBytes: asked }),
        )
        expect(wasm + arrays, `${header.width} x ${header.height} at ${scale}`).toBeLessThan(asked + SLACK)
        result.release()
      }
    }
  },
)

describe('affordableReduction', () => {
  it('reduces a JPEG in finer steps when the common step exceeds the budget', async () => {
    const header = readHeader(await portrait(1600, 1200).jpeg().toBuffer())
    const budget = decodeBytes(header, reduce(header, 1)) - 1
    expect(affordableReduction(header, 0.6, { maxBytes: budget })).toEqual({
      width: 1000,
      height: 750,
      step: 8 / 5,
    })
    expect(affordableReduction(header, 0.6, { maxBytes: budget + 1 })).toEqual({
      width: 1600,
      height: 1200,
      step: 1,
    })
    expect(() => affordableReduction(header, 0.9, { maxBytes: budget })).toThrow(ExceedsDecodeLimits)
  })

  it('refuses a photo above the effort limit, independent of its memory', async () => {
    const [baseline, progressive, png, webp] = await Promise.all(
      [
        portrait(400, 300).jpeg(),
        portrait(400, 300).jpeg({ progressive: true }),
        portrait(400, 300).png(),
        portrait(400, 300).webp(),
      ].map(async image => readHeader(await image.toBuffer())),
    )
    const small = (header: Header) => decodeEffort(header, reduce(header, 1 / 8))
    expect(small(baseline!)).toBeLessThan(400 * 300 * 1.2)
    expect(decodeEffort(baseline!, reduce(baseline!, 1))).toBeGreaterThan(3 * small(baseline!))
    for (const header of [progressive!, png!, webp!]) {
      expect(small(header)).toBeGreaterThan(small(baseline!))
      const means = { maxBytes: 2 ** 30, maxEffort: small(header) }
      expect(affordableReduction(header, 1 / 8, means)).toEqual(reduce(header, 1 / 8))
      expect(() => affordableReduction(header, 1 / 8, { ...means, maxEffort: means.maxEffort - 1 })).toThrow(
        ExceedsDecodeLimits,
      )
    }
  })

  it('bounds the effort of decoders that cannot pause', async () => {
    const means = { maxBytes: 2 ** 30, maxBlockingEffort: 1 }
    for (const image of [portrait(40, 30).jpeg(), portrait(40, 30).webp()]) {
      const header = readHeader(await image.toBuffer())
      expect(() => affordableReduction(header, 1, means)).toThrow(ExceedsDecodeLimits)
    }
    const png = readHeader(await portrait(40, 30).png().toBuffer())
    expect(affordableReduction(png, 1, means)).toEqual(reduce(png, 1))
  })

  it('accepts a 12 MP phone photo at half scale with the limits of the edge', async () => {
    const header = readHeader(await plain(4000, 3000, COLOURS.blue).jpeg().toBuffer())
    for (const scale of [1 / 8, 1 / 2])
      expect(affordableReduction(header, scale, DECODE_LIMITS)).toEqual(reduce(header, scale))
  })
})

const turn = () => new Promise<void>(resolve => setTimeout(resolve))

const FILES = await encode(
  () => portrait(310, 230),
  ['baseline JPEG', 'PNG', 'interlaced PNG', 'lossy WEBP', 'lossless WEBP'],
)

/** Upper bound of a piece of PNG decoding in microseconds. Several pieces fit between two pauses. */
const FINE_PIECE = 1_000

it('concurrent decodes with pauses return the same pixels as single ones', async () => {
  const files = Object.values(FILES)
  for (const scale of [1, 0.5]) {
    const alone = []
    for (const file of files) {
      const { raster, release } = await decodeFile(file, { scale })
      alone.push(raster.data.slice())
      release()
    }
    // Two of each file: each decoder is requested while it is in use.
    const paused = await Promise.all(
      [...files, ...files].map(file => decodeFile(file, { scale, pace: turn })),
    )
    for (const [i, { raster, release }] of paused.entries()) {
      expect(raster.data).toEqual(alone[i % files.length])
      release()
    }
  }
})

it('a PNG decode announces small pieces, in proportion to the size of the image', async () => {
  const piecesOf = async (width: number, height: number, interlaced: boolean) => {
    const work: number[] = []
    const file = await portrait(width, height).png({ progressive: interlaced }).toBuffer()
    const pace = async (microseconds: number) => void work.push(microseconds)
    ;(await decodeFile(file, { scale: 0.5, pace })).release()
    expect(Math.max(...work)).toBeLessThan(FINE_PIECE)
    return work.length
  }
  for (const interlaced of [false, true]) {
    expect(await piecesOf(450, 400, interlaced)).toBeGreaterThan(2 * (await piecesOf(300, 200, interlaced)))
  }
})

it('JPEG and WEBP decodes announce their work before they begin', async () => {
  for (const file of [FILES['baseline JPEG'], FILES['lossy WEBP']]) {
    const work: number[] = []
    const stop = new Error('no turn')
    const pace = async (microseconds: number) => {
      work.push(microseconds)
      throw stop
    }
    await expect(decodeFile(file, { pace })).rejects.toMatchObject({ cause: stop })
    expect(work[0]).toBeGreaterThan(0)
  }
})

it('a decode holds its reserved memory until its release or failure', async () => {
  const held = new Set<object>()
  const reserve = async (bytes: number): Promise<Reservation> => {
    const claim = { bytes }
    held.add(claim)
    return { total: bytes, release: () => void held.delete(claim) }
  }
  for (const file of Object.values(FILES)) {
    const photo = await decodeFile(file, { reserve })
    expect(held.size).toBe(1)
    photo.release()
    expect(held.size).toBe(0)
    const damaged = file.subarray(0, file.length / 3)
    await expect(decodeFile(damaged, { reserve })).toBeRefused('BAD_IMAGE')
    expect(held.size).toBe(0)
  }
})

it('a decode of a PNG with thousands of empty blocks pauses too', async () => {
  // Empty stored blocks that are not final, then the pixels.
  const empty = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff])
  const lines = deflateRawSync(Buffer.alloc(64 * (1 + 64 * 3)))
  const checksum = Buffer.alloc(4)
  const stream = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array(10_000).fill(empty), lines, checksum])
  const photo = writePng({ width: 64, height: 64, depth: 8, type: 2 }, [pngChunk('IDAT', stream)])
  let pieces = 0
  const pace = async () => void pieces++
  const { raster, release } = await decodeFile(photo, { pace })
  expect(raster.data.every(sample => sample === 0)).toBe(true)
  expect(pieces).toBeGreaterThan(10)
  release()
})
