/** Decodes YuNet's outputs: scores, boxes and points on three grids -> detections in pixels of the input. */
import type { Box } from '../../contract/model/bbox.ts'
import { boxAround, type Point } from '../imaging/geometry.ts'
import type { Detection } from './detection.ts'

/** Cell sides in pixels of the three grids. The names of their outputs end in this number. */
const STRIDES = [8, 16, 32] as const

/** Per cell: the box's centre relative to the cell's corner, and the logarithms of its sides; all in cells. */
const BOX_VALUES = 4

/** Per cell: right eye, left eye, nose tip, right and left mouth corner, relative to the cell's corner, in cells. */
const POINT_VALUES = 10

/**
 * Detections of at least this score on an input of `width` pixels, unordered, several per face. The score is the
 * geometric mean of the class score and the objectness score.
 * Source: OpenCV, modules/objdetect/src/face_detect.cpp, FaceDetectorYNImpl::postProcess().
 */
export function readYunet(
  outputs: Readonly<Record<string, Float32Array>>,
  width: number,
  leastScore: number,
): Detection[] {
  return STRIDES.flatMap(stride => {
    const columns = width / stride
    const detections: Detection[] = []
    const [classes, objects] = [outputs[`cls_${stride}`]!, outputs[`obj_${stride}`]!]
    const [boxes, points] = [outputs[`bbox_${stride}`]!, outputs[`kps_${stride}`]!]
    for (const [cell, likely] of classes.entries()) {
      const score = Math.sqrt(share(likely) * share(objects[cell]!))
      if (!(score >= leastScore)) continue
      const corner = { x: cell % columns, y: Math.floor(cell / columns) }
      detections.push({
        score,
        box: boxAt(corner, boxes.subarray(cell * BOX_VALUES, (cell + 1) * BOX_VALUES), stride),
        points: pointsAt(corner, points.subarray(cell * POINT_VALUES, (cell + 1) * POINT_VALUES), stride),
      })
    }
    return detections
  })
}

const share = (value: number) => Math.min(1, Math.max(0, value))

function boxAt(
  corner: Point,
  [x = 0, y = 0, logWidth = 0, logHeight = 0]: Float32Array,
  stride: number,
): Box {
  const centre = { x: (corner.x + x) * stride, y: (corner.y + y) * stride }
  return boxAround(centre, Math.exp(logWidth) * stride, Math.exp(logHeight) * stride)
}

const pointsAt = (corner: Point, values: Float32Array, stride: number): Point[] =>
  Array.from({ length: POINT_VALUES / 2 }, (_, i) => ({
    x: (corner.x + values[2 * i]!) * stride,
    y: (corner.y + values[2 * i + 1]!) * stride,
  }))
