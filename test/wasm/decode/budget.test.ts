/** Prices: known from the header, and never below what decoding takes. */
import { describe, expect, it } from 'vitest'
import { price, webpInside } from '../../../wasm/decode/budget.ts'
import { loadCodecs } from '../../../wasm/decode/codecs.node.ts'
import { decode } from '../../../wasm/decode/decode.ts'
import { readHeader } from '../../../wasm/decode/header.ts'
import { reduce } from '../../../wasm/decode/reduction.ts'
import type { WebpHeader } from '../../../wasm/decode/webp-header.ts'
import { FULL, portrait } from './samples.ts'

const MB = 2 ** 20
const WASM_PAGE = 65_536

describe('price', () => {
  it.each([
    { kind: 'baseline', options: {} },
    { kind: 'progressive', options: { progressive: true } },
    { kind: 'progressive at full chroma', options: { progressive: true, chromaSubsampling: '4:4:4' } },
  ])('covers what the decoder of a $kind JPEG grows to', async ({ options }) => {
    const bytes = await portrait(1600, 1200).jpeg(options).toBuffer()
    const header = readHeader(bytes)
    for (const scale of [1, 0.5, 0.25, 0.125]) {
      // A fresh module has no idle instance: its memory is all this photo's, and the raster is a view of it.
      const { raster, release } = await decode(bytes, header, loadCodecs(), { ...FULL, scale })
      const taken = raster.data.buffer.byteLength
      const asked = price(header, reduce(header, scale))
      expect(taken).toBeLessThanOrEqual(asked + WASM_PAGE)
      expect(asked).toBeLessThan(taken * 1.2 + MB / 2)
      release()
    }
  })

  it('falls with the scale where the format can be reduced', async () => {
    for (const image of [portrait(800, 600).jpeg(), portrait(800, 600).png()]) {
      const header = readHeader(await image.toBuffer())
      const prices = [1, 0.5, 0.25, 0.125].map(scale => price(header, reduce(header, scale)))
      expect(prices).toEqual([...prices].sort((a, b) => b - a))
      expect(prices[0]).toBeGreaterThan(800 * 600 * 3)
    }
  })

  it('counts a lossless WEBP dearer than a lossy one', async () => {
    const [lossy, lossless] = await Promise.all(
      [false, true].map(async lossless =>
        webpInside(readHeader(await portrait(800, 600).webp({ lossless }).toBuffer()) as WebpHeader),
      ),
    )
    expect(lossless).toBeGreaterThan(lossy!)
  })
})
