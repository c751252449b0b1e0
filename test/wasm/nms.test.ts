import { describe, expect, it } from 'vitest'
import type { Detection } from '../../wasm/detection.ts'
import { merged } from '../../wasm/nms.ts'

const at = (x: number, score: number): Detection => ({
  box: { x1: x, y1: 0, x2: x + 100, y2: 100 },
  score,
  points: [{ x: x + 50, y: 50 }],
})

describe('merging detections', () => {
  it('makes one face of those that overlap, averaged by score', () => {
    expect(merged([at(0, 0.6), at(10, 0.9)], 0.3)).toEqual([
      { box: { x1: 6, y1: 0, x2: 106, y2: 100 }, score: 0.9, points: [{ x: 56, y: 50 }] },
    ])
  })

  it('keeps those apart that overlap less, surest first', () => {
    expect(merged([at(0, 0.6), at(60, 0.9)], 0.3).map(({ score }) => score)).toEqual([0.9, 0.6])
  })

  it('compares with the surest face only, so that a chain of overlaps is not one face', () => {
    const chain = [at(0, 0.9), at(40, 0.5), at(80, 0.8)]
    expect(merged(chain, 0.3)).toHaveLength(2)
  })

  it('ends with boxes that have no area', () => {
    const nothing: Detection = { box: { x1: 5, y1: 5, x2: 5, y2: 5 }, score: 0.7, points: [] }
    expect(merged([nothing, { ...nothing }], 0.3)).toHaveLength(2)
  })
})
