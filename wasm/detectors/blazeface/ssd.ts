/** Decodes SSD MobileNet's outputs: scores and boxes of its finest anchors -> detections in pixels of the input. */
import type { Box } from '../../../contract/model/bbox.ts'
import { boxAround, type Point, type Size } from '../../imaging/geometry.ts'
import { type Detection, logOdds, probability } from '../detection.ts'

/**
 * A cell of this many pixels has these anchors in its centre. Source: `Output/extra_dim` among face-api's weights, x
 * 512.
 */
const STRIDE = 16
const ANCHORS = [
  { width: 51.2, height: 51.2 },
  { width: 144.815, height: 72.408 },
  { width: 72.408, height: 144.815 },
] as const

/** Per anchor: scores of background, face and an unused class; then y, x, height and width of the box. */
const SCORES = 3
const FACE = 1
const BOX_VALUES = 4

/** Scaling of boxes in training: positions in tenths of the anchor, logarithms of sides in fifths. */
const PLACE_SCALE = 10
const SIDE_SCALE = 5

/** Detections of at least this score on an input of `width` pixels, unordered, several per face, without points. */
export function readSsd(
  { scores, boxes }: Readonly<Record<string, Float32Array>>,
  width: number,
  leastScore: number,
): Detection[] {
  const columns = width / STRIDE
  const leastLogit = logOdds(leastScore)
  const detections: Detection[] = []
  for (let index = 0; index < scores!.length / SCORES; index++) {
    const logit = scores![index * SCORES + FACE]!
    if (logit < leastLogit) continue
    const cell = Math.floor(index / ANCHORS.length)
    const centre = { x: ((cell % columns) + 0.5) * STRIDE, y: (Math.floor(cell / columns) + 0.5) * STRIDE }
    const values = boxes!.subarray(index * BOX_VALUES, (index + 1) * BOX_VALUES)
    detections.push({
      score: probability(logit),
      box: boxAt(centre, ANCHORS[index % ANCHORS.length]!, values),
    })
  }
  return detections
}

function boxAt(centre: Point, anchor: Size, [y = 0, x = 0, logHeight = 0, logWidth = 0]: Float32Array): Box {
  const [across, down] = [(x / PLACE_SCALE) * anchor.width, (y / PLACE_SCALE) * anchor.height]
  const [width, height] = [logWidth, logHeight].map(value => Math.exp(value / SIDE_SCALE)) as [number, number]
  return boxAround({ x: centre.x + across, y: centre.y + down }, width * anchor.width, height * anchor.height)
}
