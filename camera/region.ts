/** Regions of a camera's picture: ROT limits detection and tracking, ROI limits reports. */

import { area, areaOn, type Box } from '../contract/model/bbox.ts'
import type { Area, Region } from '../contract/model/camera.ts'
import type { Raster } from '../wasm/imaging/orientation.ts'

/** The part of the picture inside the region; the whole picture without one. Undefined if the region is outside. */
export function partOf(
  { width, height }: Pick<Raster, 'width' | 'height'>,
  region?: Region,
): Box | undefined {
  if (!region) return { x1: 0, y1: 0, x2: width, y2: height }
  const [w, h, x, y] = region
  const part = { x1: x, y1: y, x2: Math.min(width, x + w), y2: Math.min(height, y + h) }
  return part.x1 < part.x2 && part.y1 < part.y2 ? part : undefined
}

/** A copy of this part, in its own memory. */
export function cropRaster({ data, width }: Raster, part: Box): Raster {
  const [across, down] = [part.x2 - part.x1, part.y2 - part.y1]
  if (across === width) {
    const from = part.y1 * width * 3
    return { data: data.slice(from, from + across * down * 3), width: across, height: down }
  }
  const copy = new Uint8Array(across * down * 3)
  for (let row = 0; row < down; row++) {
    const from = ((part.y1 + row) * width + part.x1) * 3
    copy.set(data.subarray(from, from + across * 3), row * across * 3)
  }
  return { data: copy, width: across, height: down }
}

/** The box in coordinates of the picture that the part was cut out of. */
export const onPicture = ({ x1, y1, x2, y2 }: Box, part: Box): Box => ({
  x1: x1 + part.x1,
  y1: y1 + part.y1,
  x2: x2 + part.x1,
  y2: y2 + part.y1,
})

/** How much of the box is inside a part of this size, 0..1. A face at the edge is cut. */
export const shareInside = (box: Box, part: Size): number => areaOn(box, part) / Math.max(1, area(box))

/** Whether the centre of the box is inside the region. True without a region. */
export function isInside({ x1, y1, x2, y2 }: Box, region?: Region): boolean {
  if (!region) return true
  const [w, h, x, y] = region
  const [across, down] = [(x1 + x2) / 2, (y1 + y2) / 2]
  return across >= x && across < x + w && down >= y && down < y + h
}

type Size = Pick<Raster, 'width' | 'height'>

/** Whether the centre of the box is in one of these areas. */
export const isMasked = (box: Box, { width, height }: Size, masks: readonly Area[]): boolean =>
  masks.some(([left, top, across, down]) =>
    isInside(box, [across * width, down * height, left * width, top * height]),
  )

/** The box in fractions of the picture, with three decimals. */
export function areaOf({ x1, y1, x2, y2 }: Box, { width, height }: Size): Area {
  const fraction = (value: number) => Math.round(1_000 * Math.min(1, Math.max(0, value))) / 1_000
  const [left, top] = [fraction(x1 / width), fraction(y1 / height)]
  return [left, top, fraction(Math.min(1, x2 / width) - left), fraction(Math.min(1, y2 / height) - top)]
}
