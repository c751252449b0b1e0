import { expect, it } from 'vitest'
import { clockwiseAngle, mean, squareAt, transformPoint } from '#wasm/imaging/geometry.ts'

const close = (x: number, y: number) => ({ x: expect.closeTo(x, 9), y: expect.closeTo(y, 9) })

it('squareAt maps the corners of a picture to the corners of a square of the photo', () => {
  const map = squareAt({ x: 100, y: 200 }, 50, 0, 10)
  expect(transformPoint(map, { x: 0, y: 0 })).toEqual(close(75, 175))
  expect(transformPoint(map, { x: 10, y: 10 })).toEqual(close(125, 225))
})

it('squareAt rotates the square clockwise around its centre', () => {
  const map = squareAt({ x: 100, y: 200 }, 50, Math.PI / 2, 10)
  expect(transformPoint(map, { x: 5, y: 5 })).toEqual(close(100, 200))
  // The upper left corner moves to the upper right.
  expect(transformPoint(map, { x: 0, y: 0 })).toEqual(close(125, 175))
})

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
