/** Affine maps between an upright photo and its raster. */
import { clockwiseAngle, mean, squareAt, transformPoint } from '#wasm/imaging/geometry.ts'
import { photoOfRaster, turnedPhoto, uprightToRaster } from '#wasm/imaging/orientation.ts'
import { warp } from '#wasm/imaging/views.ts'

it.each([
  { orientation: 2, stored: [390, 5] },
  { orientation: 4, stored: [10, 295] },
  { orientation: 6, stored: [5, 290] },
  { orientation: 7, stored: [395, 290] },
  { orientation: 8, stored: [395, 10] },
])(
  'uprightToRaster maps a point of a photo with orientation $orientation to the raster',
  ({ orientation, stored }) => {
    const [width, height] = orientation >= 5 ? [300, 400] : [400, 300]
    const raster = { data: new Uint8Array(), width: 400, height: 300 }
    const photo = { ...photoOfRaster(raster), orientation, width, height }
    const { x, y } = transformPoint(uprightToRaster(photo), { x: 10, y: 5 })
    expect([x, y]).toEqual(stored)
  },
)

const close = (x: number, y: number) => ({ x: expect.closeTo(x, 9), y: expect.closeTo(y, 9) })

it('squareAt rotated by the clockwiseAngle of the eyes maps them to a horizontal line', () => {
  const [right, left] = [
    { x: 90, y: 180 },
    { x: 110, y: 200 },
  ]
  const angle = clockwiseAngle(right, left)
  expect(angle).toBeCloseTo(Math.PI / 4)
  const map = squareAt(mean([right, left]), 100, angle, 100)
  const away = Math.hypot(20, 20) / 2
  expect(transformPoint(map, { x: 50 - away, y: 50 })).toEqual(close(90, 180))
  expect(transformPoint(map, { x: 50 + away, y: 50 })).toEqual(close(110, 200))
})

it('turnedPhoto shows the photo turned clockwise, and maps its points back, for each orientation', () => {
  const stored = {
    width: 40,
    height: 30,
    data: Uint8Array.from({ length: 3600 }, (_, i) => (i * 7919) % 251),
  }
  for (let orientation = 1; orientation <= 8; orientation++) {
    const [width, height] = orientation >= 5 ? [30, 40] : [40, 30]
    const photo = { raster: stored, orientation, width, height, step: 1, release: () => {} }
    for (const quarters of [1, 2, 3]) {
      const { turned, toUpright } = turnedPhoto(photo, quarters)
      const whole = warp(turned, [1, 0, 0, 0, 1, 0], turned.width, turned.height)
      expect(whole).toEqual(warp(photo, toUpright, turned.width, turned.height))
      // The upper left corner comes from the lower left, lower right and upper right corner.
      const { x, y } = transformPoint(toUpright, { x: 0, y: 0 })
      expect([x, y]).toEqual([quarters === 1 ? 0 : width, quarters === 3 ? 0 : height])
    }
  }
})
