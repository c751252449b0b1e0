/** ROT and ROI: parts of a picture, and boxes inside them. */
import { areaOf, cropRaster, isInside, isMasked, partOf, shareInside } from '#camera/region.ts'

/** A picture whose bytes say where they are. */
const picture = { width: 10, height: 6, data: Uint8Array.from({ length: 180 }, (_, i) => i) }

describe('a region of tracking', () => {
  it('is width, height, x, y, and ends with the picture', () => {
    expect(partOf(picture, [4, 2, 3, 1])).toEqual({ x1: 3, y1: 1, x2: 7, y2: 3 })
    expect(partOf(picture, [100, 100, 3, 1])).toEqual({ x1: 3, y1: 1, x2: 10, y2: 6 })
    expect(partOf(picture)).toEqual({ x1: 0, y1: 0, x2: 10, y2: 6 })
  })

  it('is nothing outside the picture', () => {
    expect(partOf(picture, [4, 2, 10, 0])).toBeUndefined()
    expect(partOf(picture, [4, 2, 0, 6])).toBeUndefined()
  })

  it('is cut out, with its own memory', () => {
    const part = partOf(picture, [4, 2, 3, 1])!
    const cut = cropRaster(picture, part)
    expect(cut).toMatchObject({ width: 4, height: 2 })
    for (let y = 0; y < cut.height; y++)
      for (let x = 0; x < cut.width; x++)
        expect(cut.data[(y * cut.width + x) * 3]).toBe(
          picture.data[((y + part.y1) * picture.width + x + part.x1) * 3],
        )
    expect(cut.data.buffer).not.toBe(picture.data.buffer)
    expect(cut.data.buffer.byteLength).toBe(cut.width * cut.height * 3)
  })
})

it('a face at the edge is inside by the share of its box', () => {
  expect(shareInside({ x1: 2, y1: 2, x2: 6, y2: 6 }, picture)).toBe(1)
  expect(shareInside({ x1: -1, y1: 2, x2: 3, y2: 6 }, picture)).toBe(0.75)
  expect(shareInside({ x1: 8, y1: 4, x2: 12, y2: 8 }, picture)).toBe(0.25)
  expect(shareInside({ x1: 20, y1: 4, x2: 24, y2: 8 }, picture)).toBe(0)
})

it('a region of interest has the faces whose centre is inside', () => {
  const box = { x1: 10, y1: 10, x2: 30, y2: 30 }
  expect(isInside(box)).toBe(true)
  expect(isInside(box, [10, 10, 20, 20])).toBe(true)
  expect(isInside(box, [10, 10, 21, 20])).toBe(false)
  expect(isInside(box, [10, 10, 10, 20])).toBe(false)
})

it('a mask has the faces whose centre is inside, in fractions of the picture, as places are reported', () => {
  const [size, box] = [
    { width: 200, height: 100 },
    { x1: 90, y1: 10, x2: 110, y2: 30 },
  ]
  expect(areaOf(box, size)).toEqual([0.45, 0.1, 0.1, 0.2])
  expect(isMasked(box, size, [[0, 0, 0.1, 1], areaOf(box, size)])).toBe(true)
  expect(isMasked(box, size, [[0, 0, 0.5, 1]])).toBe(false)
  expect(areaOf({ x1: -50, y1: 90, x2: 250, y2: 110 }, size)).toEqual([0, 0.9, 1, 0.1])
})
