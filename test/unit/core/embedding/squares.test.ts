import { describe, expect, it } from 'vitest'
import { squaresLength, squaresOf } from '#core/embedding/estimate-batch.ts'
import type { Thumbnail } from '#wasm/imaging/thumbnail.ts'

/** A thumbnail whose pixels encode their position: red is x, green is y. */
const thumbnailOf = (width: number, height: number, face: Thumbnail['face']): Thumbnail => ({
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3)
    return [pixel % width, Math.floor(pixel / width), 0][i % 3]!
  }),
  width,
  height,
  face,
})

/** Positions of the first and last pixel of each square on the thumbnail. */
function cornersOf(thumbnail: Thumbnail, size: number, squares: { side: number; up: number }[]): number[][] {
  const pixels = squaresOf(thumbnail, { size, squares })
  const length = size * size * 3
  return squares.map((_, i) => [
    ...pixels.subarray(i * length, i * length + 2),
    ...pixels.subarray((i + 1) * length - 3, (i + 1) * length - 1),
  ])
}

describe('squaresOf', () => {
  it('concatenates the squares, each centred on the box and raised by `up`', () => {
    const thumbnail = thumbnailOf(100, 100, { x1: 30, y1: 30, x2: 70, y2: 70 })
    const squares = [
      { side: 1, up: 0 },
      { side: 1.5, up: 0 },
      { side: 1, up: 0.25 },
    ]
    expect(squaresOf(thumbnail, { size: 40, squares })).toHaveLength(squaresLength({ size: 40, squares }))
    expect(cornersOf(thumbnail, 40, squares)).toEqual([
      [30, 30, 69, 69],
      [20, 20, 79, 79],
      [30, 20, 69, 59],
    ])
  })

  it('leaves out the forehead of a box that is taller than wide', () => {
    const tall = thumbnailOf(200, 200, { x1: 65, y1: 41, x2: 135, y2: 132 })
    expect(cornersOf(tall, 76, [{ side: 1, up: 0 }])).toEqual([[62, 55, 137, 130]])
  })

  it('repeats the edge pixels of the photo beyond its border', () => {
    const { face, ...photo } = thumbnailOf(60, 60, { x1: -30, y1: 10, x2: 30, y2: 70 })
    const white = { ...photo, face, data: photo.data.fill(255) }
    const pixels = squaresOf(white, { size: 32, squares: [{ side: 1.1, up: 0.06 }] })
    expect(pixels.every(value => value === 255)).toBe(true)
  })
})
