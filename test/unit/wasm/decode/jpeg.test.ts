/** JPEGs as cameras, scanners and printing software write them. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sample } from '#test/support/client.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { decodeJpeg } from '#wasm/decode/jpeg.ts'
import type { JpegHeader } from '#wasm/decode/jpeg-header.ts'
import { baselineJpeg, type Component } from './jpeg-writer.ts'
import { decodeFile, difference, plain, portrait, seenBySharp } from './samples.ts'

const WIDTH = 117
const HEIGHT = 91

/** Gradients in two directions: neighbouring blocks differ. */
const component = (across: number, down: number, steepness: number): Component => ({
  across,
  down,
  level: (column, row) => ((column * 8 * steepness) / across + (row * 5 * steepness) / down) % 90,
})

/** A photo with the sampling factors of its components, across x down. */
const photo = (sampling: string) => ({
  width: WIDTH,
  height: HEIGHT,
  components: sampling.split(' ').map((factors, i) => {
    const [across, down] = factors.split('x').map(Number)
    return component(across!, down!, i === 0 ? 3 : 1)
  }),
})

const another = await plain(64, 64, [9, 9, 9]).jpeg().toBuffer()

describe('decode of a JPEG', () => {
  it('gives the pixels of libjpeg-turbo 2.0 at each eighth of the size', async () => {
    const { jpeg } = loadCodecs()
    const hash = createHash('sha256')
    for (const photo of [1, 2, 3, 4, 5, 6] as const) {
      const bytes = await sample(photo)
      const header = readHeader(bytes) as JpegHeader
      for (let n = 1; n <= 8; n++) {
        const [width, height] = [Math.ceil((header.width * n) / 8), Math.ceil((header.height * n) / 8)]
        const { raster, release } = decodeJpeg(bytes, header, jpeg, { width, height, step: 8 / n })
        hash.update(raster.data)
        release()
      }
    }
    // The hash of these pixels from @cwasm/jpeg-turbo 0.1.3, which this build replaced.
    expect(hash.digest('hex')).toBe('33c7864e5b61d82e8c54945c19a9e17dea8a1b6c8d9a9d807eaf686139848638')
  })

  it.each([
    ['4:4:4', '1x1 1x1 1x1'],
    ['4:2:2', '2x1 1x1 1x1'],
    ['4:2:0', '2x2 1x1 1x1'],
    ['4:4:0', '1x2 1x1 1x1'],
    ['4:1:1', '4x1 1x1 1x1'],
    ['4:1:0', '4x2 1x1 1x1'],
    ['different sampling per component', '2x2 2x1 1x2'],
    ['more chroma than luma', '1x1 2x2 2x2'],
    ['grey with unused factors', '2x2'],
  ])('returns the pixels of libvips: %s', async (_, sampling) => {
    const bytes = baselineJpeg(photo(sampling))
    const { raster, release } = await decodeFile(bytes)
    expect(difference(raster.data, await seenBySharp(bytes))).toBeLessThan(1)
    release()
    const reduced = await decodeFile(bytes, { scale: 0.25 })
    expect(reduced.raster.width).toBe(Math.ceil(WIDTH / 4))
    reduced.release()
  })

  it.each([1, 16])('reads restart markers after every %i units', async restart => {
    const plan = photo('2x2 1x1 1x1')
    const [with_, without] = [baselineJpeg({ ...plan, restart }), baselineJpeg(plan)]
    const [marked, straight] = [await decodeFile(with_), await decodeFile(without)]
    expect(with_.length).toBeGreaterThan(without.length)
    expect(marked.raster.data).toEqual(straight.raster.data)
    marked.release()
    straight.release()
  })

  it.each([
    { kind: 'CMYK without a marker', adobe: undefined, sign: 1 },
    { kind: 'inverted CMYK with a marker', adobe: 0, sign: -1 },
  ])('converts $kind: no ink to white, cyan ink to cyan', async ({ adobe, sign }) => {
    const ink = (level: number) => ({ across: 1, down: 1, level: () => sign * level })
    const none = ink(-128)
    const plan = { width: 16, height: 16, ...(adobe === undefined ? {} : { adobe }) }
    const white = await decodeFile(baselineJpeg({ ...plan, components: [none, none, none, none] }))
    expect(Math.min(...white.raster.data)).toBeGreaterThan(250)
    white.release()
    const cyan = await decodeFile(baselineJpeg({ ...plan, components: [ink(127), none, none, none] }))
    const [red, green, blue] = cyan.raster.data
    expect([red! < 5, green! > 250, blue! > 250]).toEqual([true, true, true])
    cyan.release()
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
