/** Decodes BlazeFace's outputs: scores and offsets on two anchor grids -> detections in pixels of the input. */
import { boxAround, type Point } from '../../imaging/geometry.ts'
import { type Detection, logOdds, probability } from '../detection.ts'

/**
 * The grids of the back-camera model: a cell of `stride` pixels has `perCell` anchors in its centre.
 * Source: MediaPipe, face_detection_back (ssd_anchors_calculator with strides 16, 32, 32, 32).
 */
const GRIDS = [
  { stride: 16, perCell: 2, scores: 'fine_scores', boxes: 'fine_boxes' },
  { stride: 32, perCell: 6, scores: 'coarse_scores', boxes: 'coarse_boxes' },
] as const

/**
 * Per anchor: centre, width and height of the box, then six points. All in pixels; positions relative to the anchor's
 * centre.
 */
const VALUES_PER_ANCHOR = 16
const FIRST_POINT = 4

/**
 * Detections of at least this score on an input of `width` pixels, unordered, several per face. Points: the person's
 * right eye, left eye, nose tip, mouth, right ear, left ear.
 */
export function readBlazeface(
  outputs: Readonly<Record<string, Float32Array>>,
  width: number,
  leastScore: number,
): Detection[] {
  const leastLogit = logOdds(leastScore)
  return GRIDS.flatMap(({ stride, perCell, scores, boxes }) => {
    const columns = width / stride
    const detections: Detection[] = []
    for (const [anchor, logit] of outputs[scores]!.entries()) {
      if (logit < leastLogit) continue
      const cell = Math.floor(anchor / perCell)
      const centre = { x: ((cell % columns) + 0.5) * stride, y: (Math.floor(cell / columns) + 0.5) * stride }
      const values = outputs[boxes]!.subarray(anchor * VALUES_PER_ANCHOR, (anchor + 1) * VALUES_PER_ANCHOR)
      detections.push({
        score: probability(logit),
        box: boxAt(centre, values),
        points: pointsAt(centre, values),
      })
    }
    return detections
  })
}

const boxAt = (anchor: Point, [x = 0, y = 0, width = 0, height = 0]: Float32Array) =>
  boxAround({ x: anchor.x + x, y: anchor.y + y }, width, height)

function pointsAt(anchor: Point, values: Float32Array): Point[] {
  const points: Point[] = []
  for (let i = FIRST_POINT; i < VALUES_PER_ANCHOR; i += 2) {
    points.push({ x: anchor.x + values[i]!, y: anchor.y + values[i + 1]! })
  }
  return points
}
