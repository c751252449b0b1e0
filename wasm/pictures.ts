/** The pictures of a photo that a network is shown, whole or in tiles, and what it says of them in the photo's pixels. */
import type { Box } from '../core/contract/bbox.ts'
import { inputLength, writeInput } from '../models/input.ts'
import type { ModelInput } from '../models/manifest.ts'
import type { Detection } from './detection.ts'
import { moved, movedBox, type Point } from './geometry.ts'
import { type Affine, type Photo, warp } from './image.ts'
import type { Session } from './runtime.ts'

/** Sides of pictures are multiples of this: networks' coarsest grids, and few shapes mean little memory in the runtime. */
const STEP = 32

/** A part of the photo as a network sees it, left and right as they are or changed. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** Picture -> upright photo. */
  readonly toUpright: Affine
}

/** Of a photo, upright, in its own pixels. */
export type Size = Pick<Photo, 'width' | 'height'>

/** The detections of at least `leastScore` on a picture, in the photo's coordinates, but for faces that its edges cut. */
export type Network = (photo: Photo, picture: Picture, leastScore: number) => Promise<Detection[]>

/** What a network answers about a picture `width` pixels wide -> detections in that picture's pixels. */
export type Reading = (
  outputs: Readonly<Record<string, Float32Array>>,
  width: number,
  leastScore: number,
) => Detection[]

/** A loaded network that is shown pictures. */
export const networkOf =
  (session: Session, input: ModelInput, read: Reading): Network =>
  async (photo, { width, height, toUpright }, leastScore) => {
    const data = new Float32Array(inputLength(width, height))
    writeInput(input, warp(photo, toUpright, width, height), width, data)
    const outputs = await session.run({ [input.name]: { data, dims: [1, 3, height, width] } })
    return read(outputs, width, leastScore)
      .map(detection => onPhoto(detection, toUpright))
      .filter(({ box }) => !isCutOff(box, photo, frameOf({ width, height, toUpright })))
  }

/** A box so near to the picture's edge, in its pixels, may be of a part of a face. */
const NEAR_EDGE = 3

/** Where a picture lies on the photo, and the side of one of its pixels there. */
interface Frame extends Box {
  readonly pixel: number
}

function frameOf({ width, height, toUpright }: Picture): Frame {
  const [a, , left, , pixel, top] = toUpright
  const right = left + a * width
  return { x1: Math.min(left, right), y1: top, x2: Math.max(left, right), y2: top + pixel * height, pixel }
}

/** Does the box reach an edge of the picture beyond which the photo goes on? */
function isCutOff(box: Box, photo: Size, { x1, y1, x2, y2, pixel }: Frame): boolean {
  const near = NEAR_EDGE * pixel
  return (
    (x1 > 0 && box.x1 < x1 + near) ||
    (y1 > 0 && box.y1 < y1 + near) ||
    (x2 < photo.width && box.x2 > x2 - near) ||
    (y2 < photo.height && box.y2 > y2 - near)
  )
}

/** Side of one of a picture's pixels on the photo where `longerSide` of them show all of it; never less than a pixel. */
export const pixelOf = ({ width, height }: Size, longerSide: number): number =>
  Math.max(1, Math.max(width, height) / longerSide)

/** The whole photo, one pixel of the picture for `pixel` of its own, in the middle of black; as a square of `side` if given. */
export function wholeOf({ width, height }: Size, pixel: number, side?: number): Picture {
  const [across, down] = [side ?? filled(width / pixel), side ?? filled(height / pixel)]
  return pictureAt(across, down, pixel, width / 2, height / 2)
}

/**
 * Tiles of at most `side` pixels square (a multiple of 32) that cover the photo row by row, all of one size; neighbours
 * share at least `shared` pixels, so that a face of up to so many is whole in one of them. `fixed`: of exactly `side`.
 */
export function tilesOf(photo: Size, pixel: number, side: number, shared: number, fixed = false): Picture[] {
  const across = spread(photo.width / pixel, side, shared, fixed)
  const down = spread(photo.height / pixel, side, shared, fixed)
  return down.middles.flatMap(y =>
    across.middles.map(x => pictureAt(across.side, down.side, pixel, x * pixel, y * pixel)),
  )
}

/** A square of `side` pixels (a multiple of 32) with the place in its middle, or moved onto the photo where it has room. */
export function windowAt({ width, height }: Size, pixel: number, side: number, { x, y }: Point): Picture {
  const half = (side / 2) * pixel
  const within = (value: number, length: number): number =>
    length <= 2 * half ? length / 2 : Math.min(length - half, Math.max(half, value))
  return pictureAt(side, side, pixel, within(x, width), within(y, height))
}

/** The same picture with left and right changed. */
export const mirrored = ({ width, height, toUpright: [a, b, c, d, e, f] }: Picture): Picture => ({
  width,
  height,
  toUpright: [-a, b, c + a * width, -d, e, f + d * width],
})

/** Lengths of one size that cover `length` evenly, by their middles. */
function spread(length: number, side: number, shared: number, fixed: boolean) {
  const count = Math.max(1, Math.ceil((length - shared) / (side - shared)))
  const one = fixed ? side : Math.min(side, filled((length + (count - 1) * shared) / count))
  if (count === 1) return { side: one, middles: [length / 2] }
  const step = (length - one) / (count - 1)
  return { side: one, middles: Array.from({ length: count }, (_, i) => one / 2 + i * step) }
}

const filled = (length: number): number => Math.max(1, Math.ceil(length / STEP - 1e-9)) * STEP

function pictureAt(width: number, height: number, pixel: number, x: number, y: number): Picture {
  return { width, height, toUpright: [pixel, 0, x - (width / 2) * pixel, 0, pixel, y - (height / 2) * pixel] }
}

function onPhoto({ box, score, points }: Detection, toUpright: Affine): Detection {
  return {
    score,
    box: movedBox(toUpright, box),
    ...(points && { points: points.map(point => moved(toUpright, point)) }),
  }
}
