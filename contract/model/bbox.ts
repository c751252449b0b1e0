/** Bounding boxes of faces: their schema, their geometry and their text form. */
import * as z from 'zod'

/**
 * Box in pixels of the upright photo: x1, y1 is top left; x2, y2 is bottom right. The corners may lie outside the photo.
 * Responses contain integers only.
 */
export interface Box {
  x1: number
  y1: number
  x2: number
  y2: number
}

export const BoxSchema = z.strictObject({ x1: z.int(), y1: z.int(), x2: z.int(), y2: z.int() }).meta({
  id: 'Box',
  description: 'Box of a face in pixels of the upright photo. It can extend beyond the photo.',
})

export const width = (box: Box): number => box.x2 - box.x1
export const height = (box: Box): number => box.y2 - box.y1
export const shorterSide = (box: Box): number => Math.min(width(box), height(box))
/** Area in square pixels; 0 for an inverted box. */
export const area = (box: Box): number => Math.max(0, width(box)) * Math.max(0, height(box))

/** Rounds the coordinates to integers (never -0). Responses contain rounded boxes. */
export const roundBox = ({ x1, y1, x2, y2 }: Box): Box => ({
  x1: Math.round(x1) || 0,
  y1: Math.round(y1) || 0,
  x2: Math.round(x2) || 0,
  y2: Math.round(y2) || 0,
})

/** Extends sides shorter than `least` pixels around the centre of the box. Integer coordinates stay integers. */
export function widenBox({ x1, y1, x2, y2 }: Box, least: number): Box {
  const across = Math.max(0, least - (x2 - x1))
  const down = Math.max(0, least - (y2 - y1))
  const [left, top] = [x1 - Math.floor(across / 2), y1 - Math.floor(down / 2)]
  return { x1: left, y1: top, x2: x2 + across - (x1 - left), y2: y2 + down - (y1 - top) }
}

/** The part of a box on a photo; inverted if there is none. */
export const partOn = (box: Box, photo: { width: number; height: number }): Box => ({
  x1: Math.max(0, box.x1),
  y1: Math.max(0, box.y1),
  x2: Math.min(photo.width, box.x2),
  y2: Math.min(photo.height, box.y2),
})

/** Area of the part of a box on a photo, in square pixels; 0 if there is none. Faces are ranked by it. */
export const areaOn = (box: Box, photo: { width: number; height: number }): number => area(partOn(box, photo))

/** Copies the four coordinates of an object with more fields. */
export const boxOf = ({ x1, y1, x2, y2 }: Box): Box => ({ x1, y1, x2, y2 })

/** Area that two boxes share, in square pixels. */
export const intersection = (a: Box, b: Box): number =>
  area({
    x1: Math.max(a.x1, b.x1),
    y1: Math.max(a.y1, b.y1),
    x2: Math.min(a.x2, b.x2),
    y2: Math.min(a.y2, b.y2),
  })

/** Intersection over union, 0..1. */
export function overlap(a: Box, b: Box): number {
  const shared = intersection(a, b)
  return shared === 0 ? 0 : shared / (area(a) + area(b) - shared)
}

/** Key of a face in an identify response: `"[x1, y1, x2, y2]"`. */
export const boxKey = ({ x1, y1, x2, y2 }: Box): string => `[${x1}, ${y1}, ${x2}, ${y2}]`
