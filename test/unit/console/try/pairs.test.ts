import { describe, expect, it } from 'vitest'
import { bestPairs, facesOf, lineOf } from '#console/try/pairs.ts'

const box = (x1: number) => ({ x1, y1: 0, x2: x1 + 10, y2: 10 })
const [a, b, c] = [box(0), box(20), box(40)]

const RESULTS = [
  { bbox1: a, bbox2: b, confidence: 0.1 },
  { bbox1: a, bbox2: c, confidence: 0.9 },
  { bbox1: b, bbox2: b, confidence: 0.5 },
  { bbox1: b, bbox2: c, confidence: 0.2 },
]

describe('pairs of faces', () => {
  it('have the faces of each photo once', () => {
    expect(facesOf(RESULTS, 'bbox1')).toEqual([a, b])
    expect(facesOf(RESULTS, 'bbox2')).toEqual([b, c])
  })

  it('are in descending order of confidence, with the places of their faces', () => {
    expect(bestPairs(RESULTS).map(({ first, second, confidence }) => [first, second, confidence])).toEqual([
      [0, 1, 0.9],
      [1, 0, 0.5],
      [1, 1, 0.2],
      [0, 0, 0.1],
    ])
    expect(bestPairs(RESULTS, 2)).toHaveLength(2)
  })
})

/** A photo of 1000 x 500 pixels that is shown at half its size. */
const photo = { size: { width: 1_000, height: 500 }, place: { left: 20, top: 10, width: 500, height: 250 } }
const bounds = { x1: 100, y1: 100, x2: 300, y2: 300 }

it('a line begins and ends at the edges of the boxes, beside one another', () => {
  const right = { ...photo, place: { ...photo.place, left: 620 } }
  expect(lineOf({ ...photo, box: bounds }, { ...right, box: bounds })).toEqual({
    x1: 170,
    y1: 110,
    x2: 670,
    y2: 110,
  })
})

it('a line begins and ends at the edges of the boxes, below one another', () => {
  const below = { ...photo, place: { ...photo.place, top: 410 } }
  expect(lineOf({ ...photo, box: bounds }, { ...below, box: bounds })).toEqual({
    x1: 120,
    y1: 160,
    x2: 120,
    y2: 460,
  })
})

it('a slanted line leaves a box on its nearer side', () => {
  const other = { ...photo, place: { ...photo.place, left: 620, top: 310 } }
  const line = lineOf({ ...photo, box: bounds }, { ...other, box: bounds })
  expect(line).toEqual({ x1: 170, y1: 135, x2: 670, y2: 385 })
})

it('a line between overlapping boxes has finite ends', () => {
  for (const value of Object.values(lineOf({ ...photo, box: bounds }, { ...photo, box: bounds })))
    expect(value).toBeGreaterThan(0)
})
