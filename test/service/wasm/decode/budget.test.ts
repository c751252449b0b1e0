/** Memory and CPU budgets of decoding: known from the header, and never below the real use. */
import { randomFillSync } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { DECODE_LIMITS } from '#edge/vision/photo-analyzer.ts'
import { counted } from '#test/support/wasm-memories.ts'
import { COLOURS, ENCODINGS, plain, portrait } from '#test/unit/wasm/decode/samples.ts'
import {
  affordableReduction,
  decodeBytes,
  decodeEffort,
  ExceedsDecodeLimits,
  reduce,
} from '#wasm/decode/budget.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { decode } from '#wasm/decode/decode.ts'
import { type Header, readHeader } from '#wasm/decode/header.ts'

const MB = 2 ** 20

/** Tolerance: WebAssembly memory grows in pages, instances start with a few, and small arrays are collected late. */
const SLACK = MB

const noise = (width: number, height: number): Sharp =>
  sharp(randomFillSync(Buffer.alloc(width * height * 3)), { raw: { width, height, channels: 3 } })

/** The largest picture needs more than the initial memory of a decoder. Noise gives the largest files. */
const PICTURES = [portrait(1, 1), portrait(1500, 1300), noise(700, 600)]

describe('decodeBytes', { tags: 'long' }, () => {
  it.each(Object.entries(ENCODINGS))('of a %s covers the memory that decoding takes', async (_, kind) => {
    for (const picture of PICTURES) {
      const bytes = await kind(picture.clone()).toBuffer()
      const header = readHeader(bytes)
      for (const scale of [1, 0.25]) {
        // Fresh modules have no idle instance: all memory belongs to this photo.
        const codecs = loadCodecs()
        const asked = decodeBytes(header, reduce(header, scale))
        const { result, wasm, arrays } = await counted(() =>
          decode(bytes, header, codecs, { scale, maxBytes: asked }),
        )
        expect(wasm + arrays, `${header.width} x ${header.height} at ${scale}`).toBeLessThan(asked + SLACK)
        result.release()
      }
    }
  })
})

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
