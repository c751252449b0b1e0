import { describe, expect, it } from 'vitest'
import { BLAZEFACE_POINTS, readBlazeface } from '#wasm/detectors/blazeface/blazeface.ts'

/** Outputs for a picture of 64 x 32 without faces: 4 x 2 fine cells with 2 anchors, 2 x 1 coarse cells with 6. */
function noFaces() {
  return {
    fine_scores: new Float32Array(16).fill(-100),
    fine_boxes: new Float32Array(16 * 16),
    coarse_scores: new Float32Array(12).fill(-100),
    coarse_boxes: new Float32Array(12 * 16),
  }
}

describe('readBlazeface', () => {
  it('returns no face when all scores are low', () => {
    expect(readBlazeface(noFaces(), 64, 0.5)).toEqual([])
  })

  it('places a fine detection relative to its cell, in rows of cells with two anchors', () => {
    const outputs = noFaces()
    // The second anchor of the third cell in the second row: its centre is (40, 24).
    const anchor = (4 + 2) * 2 + 1
    outputs.fine_scores[anchor] = 0
    outputs.fine_boxes.set([1, -2, 20, 10, -5, -3, 5, -3], anchor * 16)
    const [face] = readBlazeface(outputs, 64, 0.5)
    expect(face).toMatchObject({ score: 0.5, box: { x1: 31, y1: 17, x2: 51, y2: 27 } })
    expect(face!.points).toHaveLength(6)
    expect(face!.points![BLAZEFACE_POINTS.rightEye]).toEqual({ x: 35, y: 21 })
    expect(face!.points![BLAZEFACE_POINTS.leftEye]).toEqual({ x: 45, y: 21 })
  })

  it('places a coarse detection relative to its cell of 32 pixels with six anchors', () => {
    const outputs = noFaces()
    outputs.coarse_scores[6] = 3
    outputs.coarse_boxes.set([0, 0, 30, 30], 6 * 16)
    const [face] = readBlazeface(outputs, 64, 0.5)
    expect(face!.box).toEqual({ x1: 33, y1: 1, x2: 63, y2: 31 })
    expect(face!.score).toBeCloseTo(0.9526, 4)
  })

  it('returns faces above the given score only', () => {
    const outputs = noFaces()
    outputs.fine_scores[0] = 0.84
    expect(readBlazeface(outputs, 64, 0.69)).toHaveLength(1)
    expect(readBlazeface(outputs, 64, 0.71)).toHaveLength(0)
  })
})
