import { describe, expect, it } from 'vitest'
import { bestPairs, facesOf } from '#console/try/pairs.ts'

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
