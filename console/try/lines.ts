/** Geometry of a line between faces on two photos. */
import type { Box } from '../../clients/typescript/src/index.ts'
import type { Size } from '../photos/boxes.ts'

/** A place in CSS pixels. */
export interface Rectangle {
  left: number
  top: number
  width: number
  height: number
}

/** A face on a photo that is shown at a place. */
export interface PlacedFace {
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
