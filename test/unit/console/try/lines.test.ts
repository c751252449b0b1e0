import { expect, it } from 'vitest'
import { lineOf } from '#console/try/lines.ts'

/** A photo of 1000 x 500 pixels that is shown at half its size. */
const photo = { size: { width: 1_000, height: 500 }, place: { left: 20, top: 10, width: 500, height: 250 } }
const box = { x1: 100, y1: 100, x2: 300, y2: 300 }

it('a line begins and ends at the edges of the boxes, beside one another', () => {
  const right = { ...photo, place: { ...photo.place, left: 620 } }
  expect(lineOf({ ...photo, box }, { ...right, box })).toEqual({ x1: 170, y1: 110, x2: 670, y2: 110 })
})

it('a line begins and ends at the edges of the boxes, below one another', () => {
  const below = { ...photo, place: { ...photo.place, top: 410 } }
  expect(lineOf({ ...photo, box }, { ...below, box })).toEqual({ x1: 120, y1: 160, x2: 120, y2: 460 })
})

it('a slanted line leaves a box on its nearer side', () => {
  const other = { ...photo, place: { ...photo.place, left: 620, top: 310 } }
  const line = lineOf({ ...photo, box }, { ...other, box })
  expect(line).toEqual({ x1: 170, y1: 135, x2: 670, y2: 385 })
})

it('a line between overlapping boxes has finite ends', () => {
  for (const value of Object.values(lineOf({ ...photo, box }, { ...photo, box })))
    expect(value).toBeGreaterThan(0)
})
