/** Animations: the photo is the first frame on a white canvas. And the memory limit of the decoder. */
import { countMemory } from '#test/support/wasm-memories.ts'
import { reduce, webpHeapBytes } from '#wasm/decode/budget.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { decodeWebp } from '#wasm/decode/webp.ts'
import type { WebpHeader } from '#wasm/decode/webp-header.ts'
import { NO_PAUSES } from '#wasm/runtime/pace.ts'
import { COLOURS, decodeFile, plain, portrait, quarters, riffChunk } from './samples.ts'

const WIDTH = 64
const HEIGHT = 48

/** Sides of a canvas, and the corner of its frames. */
const CANVAS = [100, 80]
const CORNER = [20, 30]

const uint24 = (value: number) => [value & 255, (value >> 8) & 255, value >> 16]

/** An animation of these frames. */
function animationOf(...frames: Buffer[]) {
  const place = [...CORNER.map(at => at / 2), WIDTH - 1, HEIGHT - 1, 100].flatMap(uint24)
  const head = Buffer.from([...place, 0])
  return riffChunk(
    'RIFF',
    Buffer.concat([
      Buffer.from('WEBP'),
      riffChunk('VP8X', Buffer.from([2, 0, 0, 0, ...CANVAS.flatMap(side => uint24(side - 1))])),
      // A green background, which viewers ignore.
      riffChunk('ANIM', Buffer.from([0, 255, 0, 255, 0, 0])),
      ...frames.map(frame => riffChunk('ANMF', Buffer.concat([head, frame.subarray(12)]))),
    ]),
  )
}

it.each([1, 0.5])(
  'decode of a WEBP frame smaller than its canvas places the first frame on a white canvas at scale %d',
  async scale => {
    const still = await quarters(WIDTH, HEIGHT).webp({ lossless: true }).toBuffer()
    const other = await plain(WIDTH, HEIGHT, COLOURS.blue).webp({ lossless: true }).toBuffer()
    const bytes = animationOf(still, other)
    expect(readHeader(bytes)).toMatchObject({ width: 100, height: 80, animated: true })
    const { raster } = await decodeFile(bytes, { scale })
    expect([raster.width, raster.height]).toEqual([100 * scale, 80 * scale])
    const at = (x: number, y: number) => {
      const pixel = (y * scale * raster.width + x * scale) * 3
      return [...raster.data.subarray(pixel, pixel + 3)]
    }
    for (const [x, y] of [
      [0, 0],
      [20, 28],
      [84, 40],
      [98, 78],
    ] as const)
      expect(at(x, y), `${x}, ${y}`).toEqual([255, 255, 255])
    expect(at(20, 30)).toEqual(COLOURS.red)
    expect(at(82, 30)).toEqual(COLOURS.green)
    expect(at(20, 76)).toEqual(COLOURS.blue)
    expect(at(82, 76)).toEqual(COLOURS.yellow)
  },
)

describe('decodeWebp', () => {
  it('fails within webpHeapBytes when the file needs more than its price', async () => {
    const bytes = await portrait(1600, 1300).webp({ lossless: true, effort: 0 }).toBuffer()
    const header = readHeader(bytes) as WebpHeader
    const decodeAs = (as: WebpHeader) =>
      decodeWebp(bytes, as, loadCodecs().webp, reduce(header, 1), NO_PAUSES)
    expect(await decodeAs(header)).toMatchObject({ width: 1600 })
    const underpriced = { ...header, coding: 'lossy', fileLength: 0 } as const
    const { wasm } = await countMemory(() => expect(decodeAs(underpriced)).toBeRefused('BAD_IMAGE'))
    expect(wasm).toBeLessThanOrEqual(webpHeapBytes(underpriced))
  })

  it('decodes a large photo whose transparency differs from pixel to pixel', async () => {
    const raw = { width: 1800, height: 1400, channels: 1 } as const
    const alpha = Uint8Array.from({ length: raw.width * raw.height }, (_, i) => (i % raw.width) / 7.1)
    const bytes = await portrait(1800, 1400)
      .joinChannel(Buffer.from(alpha), { raw })
      .webp({ effort: 2 })
      .toBuffer()
    expect(await decodeFile(bytes)).toMatchObject({ width: 1800 })
  })

  it('refuses a picture of another size: it would show pixels of an earlier photo', async () => {
    const [large, small] = await Promise.all(
      [64, 32].map(async side => new Uint8Array(await quarters(side, side).webp().toBuffer())),
    )
    const [header, { webp }] = [readHeader(large!) as WebpHeader, loadCodecs()]
    const decodeAsLarge = (bytes: Uint8Array) => decodeWebp(bytes, header, webp, reduce(header, 1), NO_PAUSES)
    await decodeAsLarge(large!)
    await expect(decodeAsLarge(small!)).toBeRefused('BAD_IMAGE')
  })
})
