/** Pixels and where they lie: rasters as files store them, photos as people see them, and the one sampler between. */

/** 8-bit RGB, rows from the top, three bytes a pixel. */
export interface Raster {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * A decoded photo. Everything outside the decoder speaks of the upright photo at full size: `width` x `height` pixels
 * after EXIF orientation. The raster may be smaller, and is as the file stores it.
 */
export interface Photo {
  readonly raster: Raster
  /** EXIF 1..8; 1 when the file has none. */
  readonly orientation: number
  readonly width: number
  readonly height: number
  /** Pixels of the photo for one of the raster, along a side; the raster's last column and row may stand for fewer. */
  readonly step: number
  /** Gives the raster's memory back to its decoder; the raster must not be read afterwards. */
  release(): void
}

/** A raster as a photo of its own: upright, at full size; its memory is its owner's. */
export const uprightPhoto = (raster: Raster): Photo => ({
  raster,
  orientation: 1,
  width: raster.width,
  height: raster.height,
  step: 1,
  release: () => {},
})

/** x' = a x + b y + c, y' = d x + e y + f */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** The map that applies `inner` first and `outer` to what it gives. */
export function compose(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer
  const [p, q, r, s, t, u] = inner
  return [a * p + b * s, a * q + b * t, a * r + b * u + c, d * p + e * s, d * q + e * t, d * r + e * u + f]
}

/** The map that undoes `affine`. Throws a RangeError when the plane is folded onto a line. */
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
 * Upright full-size coordinates -> raster coordinates: undoes the EXIF orientation, then follows the raster's reduction.
 * Coordinates are continuous: pixel (i, j) covers [i, i + 1) x [j, j + 1).
 */
export function uprightToRaster(photo: Photo): Affine {
  const stored = storedSize(photo)
  const reduction: Affine = [1 / photo.step, 0, 0, 0, 1 / photo.step, 0]
  return compose(reduction, uprightToStored(photo.orientation, stored.width, stored.height))
}

/** The photo's size as its file stores it. */
const storedSize = ({ orientation, width, height }: Photo): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height }

/** EXIF 2.3, tag 274: where an upright place lies in a file that stores w x h pixels. */
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

/** What a view shows beyond the photo. */
type Outside = 'black' | 'continued'

/** Shrinking by more than this would let single pixels stand for many: the raster is averaged down first. */
const BILINEAR_REACH = 2

/**
 * A `width` x `height` view of the upright photo: RGB, three bytes a pixel. `targetToUpright` says where each target
 * place lies on the photo; target pixels whose centre falls outside it are black or, where they are `continued`, like
 * the photo's nearest edge (black all the same where the target does not touch the photo). Bilinear; where the map
 * shrinks, the part of the raster that is looked at is first averaged down by a whole factor, so that fine detail does
 * not alias.
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
  // The photo ends within the raster's last pixels where those stand for less than a step.
  const stored = storedSize(photo)
  const whole = { width: stored.width / photo.step, height: stored.height / photo.step }
  if (shrink < BILINEAR_REACH) {
    sample(photo.raster, whole, toRaster, target, outside)
  } else {
    const factor = Math.floor(shrink)
    const seen = seenPart(photo.raster, toRaster, target, factor)
    if (seen.width > 0 && seen.height > 0) {
      const toReduced = compose([1 / factor, 0, -seen.x / factor, 0, 1 / factor, -seen.y / factor], toRaster)
      const extent = {
        width: Math.min(seen.width, whole.width - seen.x) / factor,
        height: Math.min(seen.height, whole.height - seen.y) / factor,
      }
      sample(averaged(photo.raster, seen, factor), extent, toReduced, target, outside)
    }
  }
  return target.data
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Whole raster pixels: `width` x `height` of them from x, y. */
interface Part extends Size {
  readonly x: number
  readonly y: number
}

/** The part of the raster that a target looks at, with one block around it; it starts on multiples of the factor. */
function seenPart(raster: Size, [a, b, c, d, e, f]: Affine, target: Size, factor: number): Part {
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

/** A part of the raster, each factor x factor block averaged into one pixel; blocks at the far edges may be smaller. */
function averaged({ data, width }: Raster, part: Part, factor: number): Raster {
  const columns = Math.ceil(part.width / factor)
  const rows = Math.ceil(part.height / factor)
  const means = new Uint8Array(columns * rows * 3)
  const sums = new Uint32Array(columns * 3)
  for (let row = 0; row < rows; row++) {
    const top = row * factor
    const bottom = Math.min(top + factor, part.height)
    sums.fill(0)
    for (let y = top; y < bottom; y++) {
      addBlocks(sums, data, ((part.y + y) * width + part.x) * 3, part.width, factor)
    }
    for (let column = 0; column < columns; column++) {
      const pixels = (bottom - top) * Math.min(factor, part.width - column * factor)
      const at = (row * columns + column) * 3
      for (let channel = 0; channel < 3; channel++) {
        means[at + channel] = sums[column * 3 + channel]! / pixels + 0.5
      }
    }
  }
  return { data: means, width: columns, height: rows }
}

/** Adds one row of `width` RGB pixels from byte `at` on: each `factor` of them into the next three sums. */
export function addBlocks(
  sums: Uint32Array,
  data: Uint8Array,
  at: number,
  width: number,
  factor: number,
): void {
  const rowEnd = at + width * 3
  for (let sum = 0, pixel = at; pixel < rowEnd; sum += 3) {
    const blockEnd = Math.min(pixel + factor * 3, rowEnd)
    let red = 0
    let green = 0
    let blue = 0
    for (; pixel < blockEnd; pixel += 3) {
      red += data[pixel]!
      green += data[pixel + 1]!
      blue += data[pixel + 2]!
    }
    sums[sum] = sums[sum]! + red
    sums[sum + 1] = sums[sum + 1]! + green
    sums[sum + 2] = sums[sum + 2]! + blue
  }
}

/**
 * Fills the target's pixels whose centre falls within the source's extent (which may end inside its last pixels), or
 * all of them. At the edges the outermost pixels are continued.
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
      // Written so that NaN counts as outside.
      if (outside === 'black' && !(x >= 0 && x < extent.width && y >= 0 && y < extent.height)) continue
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
