/** Several detections of one face become one. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Detection } from '#wasm/detectors/detection.ts'
import { mergeOverlapping } from '#wasm/detectors/merging.ts'

const at = (x: number, score: number): Detection => ({
  box: { x1: x, y1: 0, x2: x + 100, y2: 100 },
  score,
  points: [{ x: x + 50, y: 50 }],
})

describe('mergeOverlapping', () => {
  it('merges overlapping detections into one, averaged by score', () => {
    expect(mergeOverlapping([at(0, 0.6), at(10, 0.9)])).toEqual([
      { box: { x1: 6, y1: 0, x2: 106, y2: 100 }, score: 0.9, points: [{ x: 56, y: 50 }] },
    ])
  })

  it('keeps detections apart that overlap little, in descending order of score', () => {
    expect(mergeOverlapping([at(0, 0.6), at(60, 0.9)]).map(({ score }) => score)).toEqual([0.9, 0.6])
  })

  it('merges with the highest score only: a chain of overlaps stays two faces', () => {
    expect(mergeOverlapping([at(0, 0.9), at(40, 0.5), at(80, 0.8)])).toHaveLength(2)
  })

  it('merges a small box inside a large one without changing the surer box', () => {
    const part = { box: { x1: 20, y1: 20, x2: 60, y2: 60 }, score: 0.8, points: [{ x: 40, y: 40 }] }
    expect(mergeOverlapping([at(0, 0.9), part])).toEqual([at(0, 0.9)])
  })

  it('keeps the highest score first, in descending order', () => {
    const boxes = fc.array(
      fc.record({
        x: fc.integer({ min: 0, max: 300 }),
        y: fc.integer({ min: 0, max: 300 }),
        side: fc.integer({ min: 5, max: 200 }),
        score: fc.double({ min: 0.1, max: 1, noNaN: true }),
      }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(boxes, given => {
        const detections = given.map(({ x, y, side, score }) => ({
          box: { x1: x, y1: y, x2: x + side, y2: y + side },
          score,
        }))
        const scores = mergeOverlapping(detections).map(({ score }) => score)
        expect(scores).toEqual(scores.toSorted((a, b) => b - a))
        expect(scores.length).toBeLessThanOrEqual(given.length)
        expect(scores[0]).toBe(given.length > 0 ? Math.max(...given.map(({ score }) => score)) : undefined)
      }),
    )
  })
})
