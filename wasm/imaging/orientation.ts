/** Rasters as files store them, upright photos, and the maps between the two. */
import type { Affine, Size } from './geometry.ts'

/** 8-bit RGB, rows from the top, three bytes per pixel. */
export interface Raster {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * A decoded photo. Outside the decoder, all coordinates refer to the upright photo at full size: `width` x
 * `height` pixels after EXIF orientation. The raster may be smaller and has the orientation of the file.
 */
export interface Photo {
  readonly raster: Raster
  /** EXIF 1..8; 1 when the file has none. */
  readonly orientation: number
  readonly width: number
  readonly height: number
  /** Side of a raster pixel in photo pixels. The last column and row of the raster may cover fewer. */
  readonly step: number
  /** Returns the raster's memory to its decoder. The raster must not be read afterwards. */
  release(): void
}

/** Wraps a raster as an upright photo at full size. The caller keeps ownership of the memory. */
export const photoOfRaster = (raster: Raster): Photo => ({
  raster,
  orientation: 1,
  width: raster.width,
  height: raster.height,
  step: 1,
  release: () => {},
})

/** EXIF orientations that follow each other when a photo is turned clockwise by a quarter. */
const TURN_CYCLES = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
] as const

/** The photo turned clockwise by 1 to 3 quarters, on the same raster, and the map from its coordinates to coordinates of the photo. */
export function turnedPhoto(photo: Photo, quarters: number): { turned: Photo; toUpright: Affine } {
  const { orientation, width, height } = photo
  const cycle =
    TURN_CYCLES.find(orientations => orientations.some(one => one === orientation)) ?? TURN_CYCLES[0]
  const next = cycle[(cycle.indexOf(orientation as never) + quarters) % cycle.length]!
  const size = quarters % 2 === 1 ? { width: height, height: width } : {}
  return {
    turned: { ...photo, orientation: next, ...size },
    toUpright: uprightToStored(TURN_CYCLES[0][quarters]!, width, height),
  }
}

/** The map that applies `inner` first, then `outer`. */
export function compose(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer
  const [p, q, r, s, t, u] = inner
  return [a * p + b * s, a * q + b * t, a * r + b * u + c, d * p + e * s, d * q + e * t, d * r + e * u + f]
}

/**
 * Maps upright full-size coordinates to raster coordinates: reverts the EXIF orientation, then applies the raster's
 * reduction. Coordinates are continuous: pixel (i, j) covers [i, i + 1) x [j, j + 1).
 */
export function uprightToRaster(photo: Photo): Affine {
  const stored = storedSize(photo)
  const reduction: Affine = [1 / photo.step, 0, 0, 0, 1 / photo.step, 0]
  return compose(reduction, uprightToStored(photo.orientation, stored.width, stored.height))
}

/** Size of the photo in the file's orientation. */
export const storedSize = ({ orientation, width, height }: Photo): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

/** Maps upright coordinates to coordinates in a file with w x h stored pixels. Source: EXIF 2.3, tag 274. */
function uprightToStored(orientation: number, w: number, h: number): Affine {
  switch (orientation) {
    case 2:
      return [-1, 0, w, 0, 1, 0]
    case 3:
      return [-1, 0, w, 0, -1, h]
    case 4:
      return [1, 0, 0, 0, -1, h]
    case 5:
      return [0, 1, 0, 1, 0, 0]
    case 6:
      return [0, 1, 0, -1, 0, h]
    case 7:
      return [0, -1, w, -1, 0, h]
    case 8:
      return [0, -1, w, 1, 0, 0]
    default:
      return [1, 0, 0, 0, 1, 0]
  }
}
