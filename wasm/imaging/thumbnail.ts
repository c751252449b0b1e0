/** Cuts out thumbnails: small pictures of faces for people. */
import { areaOn, type Box, height, partOn, roundBox, width } from '../../contract/model/bbox.ts'
import type { Photo, Raster } from './orientation.ts'
import { warp } from './views.ts'

/** Maximum length of the longer side, in pixels. */
const LONGEST_SIDE = 192

/** Margin around the box on each side, as a fraction of the box. */
const MARGIN = 0.3

export interface Thumbnail extends Raster {
  /**
   * The face's box in whole pixels of the thumbnail. It extends beyond the edges where the photo ends inside the box.
   */
  readonly face: Box
}

/** The upright face with its surroundings, never enlarged. */
export function thumbnailOf(photo: Photo, box: Box): Thumbnail {
  const shown = onPhoto(photo, withMargin(box))
  const step = Math.max(1, Math.max(width(shown), height(shown)) / LONGEST_SIDE)
  const size = { width: pixels(width(shown) / step), height: pixels(height(shown) / step) }
  const data = warp(photo, [step, 0, shown.x1, 0, step, shown.y1], size.width, size.height)
  const onThumbnail = (value: number, origin: number) => (value - origin) / step
  const face = roundBox({
    x1: onThumbnail(box.x1, shown.x1),
    y1: onThumbnail(box.y1, shown.y1),
    x2: onThumbnail(box.x2, shown.x1),
    y2: onThumbnail(box.y2, shown.y1),
  })
  return { data, ...size, face }
}

/** The thumbnail's properties without its pixels. */
export const thumbnailCrop = ({ width, height, face }: Thumbnail) => ({ width, height, face })

const pixels = (length: number) => Math.max(1, Math.round(length))

const withMargin = (box: Box): Box => ({
  x1: box.x1 - MARGIN * width(box),
  y1: box.y1 - MARGIN * height(box),
  x2: box.x2 + MARGIN * width(box),
  y2: box.y2 + MARGIN * height(box),
})

/** The intersection of box and photo; the whole box, black, when they do not intersect. */
const onPhoto = (photo: Photo, box: Box) => (areaOn(box, photo) > 0 ? partOn(box, photo) : box)
