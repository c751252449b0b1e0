import { expect, it } from 'vitest'
import { inReadingOrder } from '#wasm/select.ts'

const face = (name: string, x: number, y: number) => ({
  name,
  box: { x1: x, y1: y, x2: x + 100, y2: y + 100 },
})
const names = (...faces: ReturnType<typeof face>[]) => inReadingOrder(faces).map(({ name }) => name)

it('inReadingOrder sorts one row from left to right, despite different heights', () => {
  expect(names(face('right', 500, 100), face('left', 0, 130), face('middle', 250, 85))).toEqual([
    'left',
    'middle',
    'right',
  ])
})

it('inReadingOrder puts the back row before the front row', () => {
  expect(names(face('front', 0, 300), face('back right', 400, 0), face('back left', 100, 20))).toEqual([
    'back left',
    'back right',
    'front',
  ])
})

it('inReadingOrder returns an empty list for no faces', () => {
  expect(inReadingOrder([])).toEqual([])
})
