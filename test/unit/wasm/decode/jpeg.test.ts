/** JPEGs as cameras, scanners and printing software write them. */
import { describe, expect, it } from 'vitest'
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

const photo = (...factors: [number, number][]) => ({
  width: WIDTH,
  height: HEIGHT,
  components: factors.map(([across, down], i) => component(across, down, i === 0 ? 3 : 1)),
})

const another = await plain(64, 64, [9, 9, 9]).jpeg().toBuffer()

describe('decode of a JPEG', () => {
  it.each([
    {
      sampling: '4:4:4',
      factors: [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    },
    {
      sampling: '4:2:2',
      factors: [
        [2, 1],
        [1, 1],
        [1, 1],
      ],
    },
    {
      sampling: '4:2:0',
      factors: [
        [2, 2],
        [1, 1],
        [1, 1],
      ],
    },
    {
      sampling: '4:4:0',
      factors: [
        [1, 2],
        [1, 1],
        [1, 1],
      ],
    },
    {
      sampling: '4:1:1',
      factors: [
        [4, 1],
        [1, 1],
        [1, 1],
      ],
    },
    {
      sampling: '4:1:0',
      factors: [
        [4, 2],
        [1, 1],
        [1, 1],
      ],
    },
    {
      sampling: '4:4:1',
      factors: [
        [1, 4],
        [1, 1],
        [1, 1],
      ],
    },
    {
      sampling: 'different sampling per component',
      factors: [
        [2, 2],
        [2, 1],
        [1, 2],
      ],
    },
    {
      sampling: 'more chroma than luma',
      factors: [
        [1, 1],
        [2, 2],
        [2, 2],
      ],
    },
    { sampling: 'grey with unused factors', factors: [[2, 2]] },
  ] as { sampling: string; factors: [number, number][] }[])(
    'returns the pixels of libvips: $sampling',
    async ({ factors }) => {
      const bytes = baselineJpeg(photo(...factors))
      const { raster, release } = await decodeFile(bytes)
      expect(difference(raster.data, await seenBySharp(bytes))).toBeLessThan(1)
      release()
      for (const scale of [0.5, 0.25, 0.125]) {
        const reduced = await decodeFile(bytes, { scale })
        expect(reduced.raster.width).toBe(Math.ceil(WIDTH * scale))
        reduced.release()
      }
    },
  )

  it.each([1, 3, 16])('reads restart markers after every %i units', async restart => {
    const plan = photo([2, 2], [1, 1], [1, 1])
    const [with_, without] = [baselineJpeg({ ...plan, restart }), baselineJpeg(plan)]
    const [marked, straight] = [await decodeFile(with_), await decodeFile(without)]
    expect(with_.length).toBeGreaterThan(without.length)
    expect(marked.raster.data).toEqual(straight.raster.data)
    marked.release()
    straight.release()
  })

  it("keeps RGB colours according to Adobe's marker", async () => {
    const bytes = baselineJpeg({ ...photo([1, 1], [1, 1], [1, 1]), adobe: 0 })
    const { raster, release } = await decodeFile(bytes)
    expect(difference(raster.data, await seenBySharp(bytes))).toBeLessThan(1)
    release()
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

  it('converts YCCK to RGB', async () => {
    const level = (value: number) => ({ across: 1, down: 1, level: () => value })
    // Adobe inverts the inks: a low luminance means little ink. K is without ink.
    const bytes = baselineJpeg({
      width: 16,
      height: 16,
      adobe: 2,
      components: [level(-60), level(0), level(0), level(127)],
    })
    const { raster, release } = await decodeFile(bytes)
    const [red, green, blue] = raster.data
    expect(Math.max(red!, green!, blue!) - Math.min(red!, green!, blue!)).toBeLessThan(4)
    expect(red).toBeGreaterThan(150)
    release()
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

  it('ignores the thumbnail in EXIF', async () => {
    const small = await plain(40, 30, [200, 10, 10]).jpeg().toBuffer()
    const bytes = await portrait(100, 80).jpeg().toBuffer()
    const exif = Buffer.concat([Buffer.from('Exif\0\0II*\0\x08\0\0\0\0\0', 'latin1'), small])
    const head = Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 255])
    const both = Buffer.concat([bytes.subarray(0, 2), head, exif, bytes.subarray(2)])
    const { raster, release } = await decodeFile(both)
    expect([raster.width, raster.height]).toEqual([100, 80])
    expect(difference(raster.data, await seenBySharp(bytes))).toBeLessThan(1)
    release()
  })
})
