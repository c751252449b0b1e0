/** Several detections of one face become one. */
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
})
