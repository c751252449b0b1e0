/** Decodes SCRFD's outputs: scores, boxes and points on three grids -> detections in pixels of the tile. */
import type { ScrfdModel } from '../../models/manifest.ts'
import type { Point } from '../imaging/geometry.ts'
import type { Detection } from './detection.ts'
import type { ReadOutputs } from './tiling.ts'

/** Cell sides in pixels of each grid, in the order of the model's outputs. A cell has two anchors, at its corner. */
const STRIDES = [8, 16, 32] as const
const ANCHORS = 2

/**
 * Per anchor: distances to the box's left, top, right and bottom edge, then five points relative to the anchor; all
 * in cells.
 */
const BOX_VALUES = 4
const POINT_VALUES = 10

/**
 * Reads detections of at least the given score, unordered, several per face.
 * Source: insightface, python-package/insightface/model_zoo/retinaface.py.
 */
export const scrfdReader =
  ({ outputs: names }: Pick<ScrfdModel, 'outputs'>): ReadOutputs =>
  (outputs, width, leastScore) =>
    STRIDES.flatMap((stride, grid) => {
      const [boxes, points] = [outputs[names.boxes[grid]!]!, outputs[names.points[grid]!]!]
      const detections: Detection[] = []
      for (const [index, score] of outputs[names.scores[grid]!]!.entries()) {
        if (!(score >= leastScore)) continue
        const cell = Math.floor(index / ANCHORS)
        const columns = width / stride
        const anchor = { x: cell % columns, y: Math.floor(cell / columns) }
        const at = (x: number, y: number): Point => ({
          x: (anchor.x + x) * stride,
          y: (anchor.y + y) * stride,
        })
        const [left = 0, top = 0, right = 0, bottom = 0] = boxes.subarray(index * BOX_VALUES)
        const [from, to] = [at(-left, -top), at(right, bottom)]
        detections.push({
          score: Math.min(1, score),
          box: { x1: from.x, y1: from.y, x2: to.x, y2: to.y },
          points: Array.from({ length: POINT_VALUES / 2 }, (_, i) => {
            const value = index * POINT_VALUES + 2 * i
            return at(points[value]!, points[value + 1]!)
          }),
        })
      }
      return detections
    })
