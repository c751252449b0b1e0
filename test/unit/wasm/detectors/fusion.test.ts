/** Fusion of several detections of one face, within a pass and between two passes. */
import { describe, expect, it } from 'vitest'
import type { Detection } from '#wasm/detectors/detection.ts'
import { fuseDetections, mergeOverlapping, overviewFaces } from '#wasm/detectors/fusion.ts'

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
})

const WEIGHTS = { overview: 0.5, refinement: 2, bias: 2.5, sureness: 2, alone: 20 }
const onlyBox = ({ box, score }: Detection): Detection => ({ box, score })
const fused = (overview: Detection[], refined: Detection[], pixel: number) =>
  fuseDetections(overview, refined.map(onlyBox), pixel, WEIGHTS)

describe('fuseDetections', () => {
  it('scores a face higher when both passes detect it', () => {
    const [both] = fused([at(0, 0.6)], [at(0, 0.7)], 10)
    const [first] = fused([at(0, 0.6)], [], 10)
    const [second] = fused([], [at(0, 0.7)], 10)
    expect(both!.score).toBeGreaterThan(second!.score)
    expect(second!.score).toBeGreaterThan(first!.score)
  })

  it('uses the box of the second pass for a small face, with the points of the overview', () => {
    const [face, ...others] = fused([at(10, 0.9)], [at(0, 0.9)], 10)
    expect(others).toEqual([])
    expect(face!.box.x1).toBeGreaterThan(0)
    expect(face!.box.x1).toBeLessThan(1)
    expect(face!.points).toEqual(at(10, 0.9).points)
  })

  it('uses score and box of the overview for a large face', () => {
    const [alone] = overviewFaces([at(0, 0.9)], WEIGHTS)
    const seen = fused([at(0, 0.9)], [at(10, 0.3)], 2)
    expect(seen).toEqual([
      {
        ...alone,
        score: expect.closeTo(alone!.score, 9),
        box: expect.objectContaining({ x1: expect.closeTo(0, 3) }),
      },
    ])
    expect(alone!.score).toBeCloseTo(0.81 / 0.82, 9)
  })
})
