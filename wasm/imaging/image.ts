/** Pixels and their geometry: rasters as files store them, upright photos, and the only sampler between the two. */
import { BoxAverage } from './box-average.ts'
import type { Affine, Size } from './geometry.ts'

/** 8-bit RGB, rows from the top, three bytes per pixel. */
export interface Raster {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * A decoded photo. Outside the decoder, all coordinates are those of the upright photo at full size: `width` x
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
export const uprightPhoto = (raster: Raster): Photo => ({
  raster,
  orientation: 1,
  width: raster.width,
  height: raster.height,
  step: 1,
  release: () => {},
})

/** EXIF orientations that follow each other when a photo is turned clockwise by a quarter. */
const TURNS = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
] as const

/** The photo turned clockwise by 1 to 3 quarters, on the same raster, and the map from its coordinates to those of the photo. */
export function turnedPhoto(photo: Photo, quarters: number): { turned: Photo; toUpright: Affine } {
  const { orientation, width, height } = photo
  const cycle = TURNS.find(orientations => orientations.some(one => one === orientation)) ?? TURNS[0]
  const next = cycle[(cycle.indexOf(orientation as never) + quarters) % cycle.length]!
  const size = quarters % 2 === 1 ? { width: height, height: width } : {}
  return {
    turned: { ...photo, orientation: next, ...size },
    toUpright: uprightToStored(TURNS[0][quarters]!, width, height),
  }
}

/** The map that applies `inner` first, then `outer`. */
export function compose(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer
  const [p, q, r, s, t, u] = inner
  return [a * p + b * s, a * q + b * t, a * r + b * u + c, d * p + e * s, d * q + e * t, d * r + e * u + f]
}

/** The inverse map. Throws a RangeError for a degenerate map. */
export function invert([a, b, c, d, e, f]: Affine): Affine {
  const determinant = a * e - b * d
  if (determinant === 0 || !Number.isFinite(determinant)) throw new RangeError('the map has no inverse')
  return [
    e / determinant,
    -b / determinant,
    (b * f - c * e) / determinant,
    -d / determinant,
    a / determinant,
    (c * d - a * f) / determinant,
  ]
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
const storedSize = ({ orientation, width, height }: Photo): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

/** Maps upright coordinates to those of a file with w x h stored pixels. Source: EXIF 2.3, tag 274. */
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

/** Content of a view outside the photo. */
type Outside = 'black' | 'grey' | 'continued'

/** Middle of the 256 levels: the zero of networks whose input is symmetric. */
const GREY = 128

/** Shrink factor up to which bilinear sampling does not alias. Above it, the raster is averaged down first. */
const BILINEAR_REACH = 2

/**
 * A `width` x `height` view of the upright photo: RGB, three bytes per pixel. `targetToUpright` maps target
 * coordinates to the photo. Target pixels with their centre outside the photo are black; with `continued`, they
 * repeat the photo's nearest edge, unless the target does not touch the photo at all.
 * Sampling is bilinear. If the map shrinks, the visible part of the raster is first averaged down by an integer
 * factor, which prevents aliasing.
 */
export function warp(
  photo: Photo,
  targetToUpright: Affine,
  width: number,
  height: number,
  outside: Outside = 'black',
): Uint8Array {
  const toRaster = compose(uprightToRaster(photo), targetToUpright)
  const [a, b, , d, e] = toRaster
  const shrink = Math.max(Math.hypot(a, d), Math.hypot(b, e))
  const target = { data: new Uint8Array(width * height * 3), width, height }
  if (outside === 'grey') target.data.fill(GREY)
  // If the last raster pixels cover less than a step, the photo ends inside them.
  const stored = storedSize(photo)
  const whole = { width: stored.width / photo.step, height: stored.height / photo.step }
  if (shrink < BILINEAR_REACH) {
    sample(photo.raster, whole, toRaster, target, outside)
  } else {
    const factor = Math.floor(shrink)
    const visible = visiblePart(photo.raster, toRaster, target, factor)
    if (visible.width > 0 && visible.height > 0) {
      const toReduced = compose(
        [1 / factor, 0, -visible.x / factor, 0, 1 / factor, -visible.y / factor],
        toRaster,
      )
      const extent = {
        width: Math.min(visible.width, whole.width - visible.x) / factor,
        height: Math.min(visible.height, whole.height - visible.y) / factor,
      }
      sample(averaged(photo.raster, visible, factor), extent, toReduced, target, outside)
    }
  }
  return target.data
}

/** Shrink factor from which warpSmoothly takes several samples for a pixel. */
const SMOOTH_REACH = 1.2

/**
 * Pixels of a raster that is halved as a whole, at most. Those of detection are smaller. Larger ones are for a few faces, and halving
 * them would cost time and memory in proportion to the photo.
 */
const MOST_HALVED = 1_000_000

/** Rasters of half, a quarter and less of a raster's size, kept as long as it is. */
const HALVES = new WeakMap<Raster, Raster[]>()

/**
 * Like warp, outside grey, for many small views of one photo. Each pixel is the mean of what it covers, on a raster of the photo that is
 * halved until its pixels are nearly as large: networks that depend on fine differences need all pixels.
 */
export function warpSmoothly(
  photo: Photo,
  targetToUpright: Affine,
  width: number,
  height: number,
): Uint8Array {
  const shrink = Math.hypot(targetToUpright[0], targetToUpright[3]) / photo.step
  const isHalved = photo.raster.width * photo.raster.height <= MOST_HALVED
  const level = isHalved ? Math.max(0, Math.floor(Math.log2(shrink))) : 0
  const rasters = HALVES.get(photo.raster) ?? [photo.raster]
  HALVES.set(photo.raster, rasters)
  while (rasters.length <= level) rasters.push(halved(rasters.at(-1)!))
  const smaller = { ...photo, raster: rasters[level]!, step: photo.step * 2 ** level }
  if (shrink / 2 ** level < SMOOTH_REACH) return warp(smaller, targetToUpright, width, height, 'grey')
  const [a, b, c, d, e, f] = targetToUpright
  const twice = warp(smaller, [a / 2, b / 2, c, d / 2, e / 2, f], 2 * width, 2 * height, 'grey')
  return halved({ data: twice, width: 2 * width, height: 2 * height }).data
}

/** Each 2 x 2 block averaged into one pixel. The last column and row stand for one where the size is odd. */
function halved({ data, width, height }: Raster): Raster {
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const half = new Uint8Array(across * down * 3)
  for (let y = 0, at = 0; y < down; y++) {
    const upper = 2 * y * width * 3
    const lower = Math.min(2 * y + 1, height - 1) * width * 3
    for (let x = 0; x < across; x++) {
      const left = 6 * x
      const right = Math.min(2 * x + 1, width - 1) * 3
      for (let channel = 0; channel < 3; channel++, at++)
        half[at] =
          (data[upper + left + channel]! +
            data[upper + right + channel]! +
            data[lower + left + channel]! +
            data[lower + right + channel]! +
            2) >>
          2
    }
  }
  return { data: half, width: across, height: down }
}

/** A rectangle of `width` x `height` raster pixels with its corner at x, y. */
interface Part extends Size {
  readonly x: number
  readonly y: number
}

/** The raster rectangle that the target covers, plus a margin of one block; it starts at multiples of the factor. */
function visiblePart(raster: Size, [a, b, c, d, e, f]: Affine, target: Size, factor: number): Part {
  const across = span([0, a * target.width, b * target.height, a * target.width + b * target.height], c)
  const down = span([0, d * target.width, e * target.height, d * target.width + e * target.height], f)
  const x = Math.max(0, Math.floor(across.from / factor) - 1) * factor
  const y = Math.max(0, Math.floor(down.from / factor) - 1) * factor
  return {
    x,
    y,
    width: Math.min(raster.width, Math.ceil(across.to) + factor) - x,
    height: Math.min(raster.height, Math.ceil(down.to) + factor) - y,
  }
}

const span = (steps: number[], origin: number): { from: number; to: number } => ({
  from: origin + Math.min(...steps),
  to: origin + Math.max(...steps),
})

/** A rectangle of the raster, with each factor x factor block averaged into one pixel. */
function averaged({ data, width }: Raster, part: Part, factor: number): Raster {
  const average = new BoxAverage(part, {
    width: Math.ceil(part.width / factor),
    height: Math.ceil(part.height / factor),
    step: factor,
  })
  for (let y = part.y; y < part.y + part.height; y++) average.add(data, (y * width + part.x) * 3)
  return average.raster
}

/**
 * Fills the target's pixels whose centre lies within the source's extent, or all pixels with `continued`. The extent
 * may end inside the last pixels of the source. The outermost source pixels are repeated at the edges.
 */
function sample(
  source: Raster,
  extent: Size,
  [a, b, c, d, e, f]: Affine,
  target: Raster,
  outside: Outside,
): void {
  const { data, width, height } = source
  const stride = width * 3
  for (let row = 0, at = 0; row < target.height; row++) {
    const rowX = b * (row + 0.5) + c
    const rowY = e * (row + 0.5) + f
    for (let column = 0; column < target.width; column++, at += 3) {
      const x = a * (column + 0.5) + rowX
      const y = d * (column + 0.5) + rowY
      // The negated form counts NaN as outside.
      if (outside !== 'continued' && !(x >= 0 && x < extent.width && y >= 0 && y < extent.height)) continue
      const left = Math.min(Math.max(x - 0.5, 0), width - 1)
      const top = Math.min(Math.max(y - 0.5, 0), height - 1)
      const leftPixel = Math.trunc(left)
      const topPixel = Math.trunc(top)
      const rightShare = left - leftPixel
      const bottomShare = top - topPixel
      const pixel = topPixel * stride + leftPixel * 3
      const toRight = leftPixel + 1 < width ? 3 : 0
      const toBottom = topPixel + 1 < height ? stride : 0
      for (let channel = pixel, out = at; out < at + 3; channel++, out++) {
        const upper = data[channel]! + (data[channel + toRight]! - data[channel]!) * rightShare
        const lowerLeft = data[channel + toBottom]!
        const lower = lowerLeft + (data[channel + toBottom + toRight]! - lowerLeft) * rightShare
        target.data[out] = upper + (lower - upper) * bottomShare + 0.5
      }
    }
  }
}
