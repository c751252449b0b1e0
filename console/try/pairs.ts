/** Pairs of faces on two photos, and the geometry of the lines between them. */
import type { Box, VerifyAnswer } from '../../clients/typescript/src/index.ts'
import type { Size } from '../photos/photo.ts'

type Result = VerifyAnswer['results'][number]

export interface Pair extends Result {
  key: string
  /** Places of the faces among those of their photos, from 0. */
  first: number
  second: number
}

/** Pairs on the page at most: two group photos have thousands. */
const MOST_SHOWN = 60

const keyOf = ({ x1, y1, x2, y2 }: Box): string => [x1, y1, x2, y2].join()

/** The faces of one photo, each once, in the order of the answer. */
export const facesOf = (results: readonly Result[], side: 'bbox1' | 'bbox2'): Box[] => [
  ...new Map(results.map(result => [keyOf(result[side]), result[side]])).values(),
]

/** The pairs with the highest confidences, in descending order. */
export function bestPairs(results: readonly Result[]): Pair[] {
  const places = (side: 'bbox1' | 'bbox2') => new Map(facesOf(results, side).map((box, i) => [keyOf(box), i]))
  const [first, second] = [places('bbox1'), places('bbox2')]
  return results
    .map(result => {
      const [key1, key2] = [keyOf(result.bbox1), keyOf(result.bbox2)]
      return { ...result, key: `${key1} ${key2}`, first: first.get(key1)!, second: second.get(key2)! }
    })
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MOST_SHOWN)
}

/** A place in CSS pixels. */
export interface Rectangle {
  left: number
  top: number
  width: number
  height: number
}

/** A face on a photo that is shown at a place. */
interface PlacedFace {
  box: Box
  /** Pixels of the photo. */
  size: Size
  place: Rectangle
}

/** Ends of a line. */
export interface Line {
  x1: number
  y1: number
  x2: number
  y2: number
}

/** The line between the centres of two faces, without the parts within their boxes. */
export function lineOf(first: PlacedFace, second: PlacedFace): Line {
  const [a, b] = [shown(first), shown(second)]
  const [start, end] = [edgeTowards(a, b), edgeTowards(b, a)]
  return { x1: start.x, y1: start.y, x2: end.x, y2: end.y }
}

/** The centre of a face and half of its box, on the page. */
function shown({ box, size, place }: PlacedFace) {
  const [scaleX, scaleY] = [place.width / size.width, place.height / size.height]
  return {
    x: place.left + ((box.x1 + box.x2) / 2) * scaleX,
    y: place.top + ((box.y1 + box.y2) / 2) * scaleY,
    halfWidth: ((box.x2 - box.x1) / 2) * scaleX,
    halfHeight: ((box.y2 - box.y1) / 2) * scaleY,
  }
}

type Shown = ReturnType<typeof shown>

/** The point at which the line from a centre to another one leaves the box; the centre itself when they overlap. */
function edgeTowards(from: Shown, to: Shown): { x: number; y: number } {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const share = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : from.halfWidth / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : from.halfHeight / Math.abs(dy),
  )
  const part = share < 1 ? share : 0
  return { x: from.x + dx * part, y: from.y + dy * part }
}
