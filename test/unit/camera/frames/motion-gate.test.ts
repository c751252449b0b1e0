/** Which frames need detection, on pictures with noise, movement and darkness. */
import sharp from 'sharp'
import { greyGrid, motionGate } from '#camera/frames/motion-gate.ts'
import { sample } from '#test/support/client.ts'
import type { Raster } from '#wasm/imaging/orientation.ts'

const photo = await rasterOf(await sample(1))

async function rasterOf(file: Uint8Array): Promise<Raster> {
  const { data, info } = await sharp(file)
    .resize(1280, 720, { fit: 'cover' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}

/** The picture with the noise of a sensor: up to `most` more or less in each byte. */
function noisy({ data, ...size }: Raster, most: number, seed: number): Raster {
  let state = seed
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return (state / 2 ** 30 - 1) * most
  }
  return { ...size, data: data.map(value => Math.max(0, Math.min(255, value + noise()))) }
}

/** The picture with a grey square, as large as a small face, at this place. */
function withSquare({ data, ...size }: Raster, x: number, y: number, side = 60): Raster {
  const copy = data.slice()
  for (let row = y; row < y + side; row++)
    copy.fill(128, (row * size.width + x) * 3, (row * size.width + x + side) * 3)
  return { ...size, data: copy }
}

const flat = (value: number): Raster => ({
  width: 320,
  height: 180,
  data: new Uint8Array(320 * 180 * 3).fill(value),
})

describe('the motion gate', () => {
  it('lets the first frame pass, and no equal one', () => {
    const gate = motionGate()
    const grid = greyGrid(photo)
    expect(gate.isChanged(grid)).toBe(true)
    gate.analysed(grid, 0)
    expect(gate.isChanged(greyGrid(photo))).toBe(false)
  })

  it('is not opened by noise', { tags: 'long' }, () => {
    const gate = motionGate()
    gate.analysed(greyGrid(noisy(photo, 15, 1)), 0)
    for (let seed = 2; seed < 5; seed++) expect(gate.isChanged(greyGrid(noisy(photo, 15, seed)))).toBe(false)
  })

  it('is opened by something as large as a small face, anywhere', () => {
    const gate = motionGate()
    gate.analysed(greyGrid(flat(20)), 0)
    for (const [x, y] of [
      [0, 0],
      [117, 63],
      [290, 150],
    ] as const)
      expect(gate.isChanged(greyGrid(withSquare(flat(20), x, y, 30)))).toBe(true)
    const street = motionGate()
    street.analysed(greyGrid(photo), 0)
    expect(street.isChanged(greyGrid(withSquare(photo, 600, 300)))).toBe(true)
  })

  it('compares with the last analysed frame, and so finds slow changes, too', () => {
    const gate = motionGate()
    gate.analysed(greyGrid(flat(100)), 0)
    expect([102, 104, 106, 110].map(value => gate.isChanged(greyGrid(flat(value))))).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  it('is opened after some seconds, and after a reset', () => {
    const gate = motionGate()
    const grid = greyGrid(photo)
    gate.analysed(grid, 0)
    expect([gate.isDue(grid, 4_999), gate.isDue(grid, 5_000), gate.isChanged(grid)]).toEqual([
      false,
      true,
      false,
    ])
    gate.reset()
    expect(gate.isDue(grid, 200)).toBe(true)
  })
})
