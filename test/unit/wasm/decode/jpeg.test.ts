/** JPEGs as cameras and printing software write them. */
import { createHash } from 'node:crypto'
import { sample } from '#test/support/client.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { decodeJpeg } from '#wasm/decode/jpeg.ts'
import type { JpegHeader } from '#wasm/decode/jpeg-header.ts'
import { COLOURS, decodeFile, plain, portrait } from './samples.ts'

const another = await plain(64, 64, [9, 9, 9]).jpeg().toBuffer()

describe('decode of a JPEG', () => {
  it('gives the pixels of libjpeg-turbo 2.0 at each eighth of the size', async () => {
    const { jpeg } = loadCodecs()
    const hash = createHash('sha256')
    const bytes = await sample(2)
    const header = readHeader(bytes) as JpegHeader
    for (let n = 1; n <= 8; n++) {
      const [width, height] = [Math.ceil((header.width * n) / 8), Math.ceil((header.height * n) / 8)]
      const { raster, release } = decodeJpeg(bytes, header, jpeg, { width, height, step: 8 / n })
      hash.update(raster.data)
      release()
    }
    // The hash of these pixels from @cwasm/jpeg-turbo 0.1.3, which this build replaced.
    expect(hash.digest('hex')).toBe('0dc6064587ebe4d3d122b6b5a428dbaf41ab71304181bca5e9894f8eb8c01d4a')
  })

  it('converts CMYK: inverted with the marker of Adobe, plain without it', async () => {
    const decoded = async (bytes: Uint8Array) => {
      const { raster, release } = await decodeFile(bytes)
      const [red, green, blue] = raster.data
      release()
      return [red! > 150, green! > 150, blue! > 150]
    }
    const inked = (colour: readonly [number, number, number]) =>
      plain(16, 16, colour).toColourspace('cmyk').jpeg().toBuffer()
    const [white, red] = [await inked([255, 255, 255]), await inked(COLOURS.red)]
    expect([await decoded(white), await decoded(red)]).toEqual([
      [true, true, true],
      [true, false, false],
    ])
    const marker = white.indexOf(Uint8Array.of(0xff, 0xee))
    const plainly = Buffer.concat([white.subarray(0, marker), white.subarray(marker + 16)])
    expect(await decoded(plainly)).toEqual([false, false, false])
  })

  it.each([
    { trailing: 'zeros', more: Buffer.alloc(3000) },
    { trailing: 'a second photo, as phones append', more: another },
    { trailing: 'a text', more: Buffer.from('<html>\xff\xd8\xff\xc0</html>', 'latin1') },
  ])('ignores $trailing after its end', async ({ more }) => {
    const bytes = await portrait(100, 80).jpeg().toBuffer()
    const [alone, followed] = [await decodeFile(bytes), await decodeFile(Buffer.concat([bytes, more]))]
    expect(followed.raster).toEqual(alone.raster)
    alone.release()
    followed.release()
  })
})
