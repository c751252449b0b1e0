/** Tiles: rectangles of a photo that networks take as input, and their results on the photo. */
import { inputLength, writeInput } from '../../models/input.ts'
import type { ModelInput } from '../../models/manifest.ts'
import { type Affine, type Size, transformBox, transformPoint } from '../imaging/geometry.ts'
import type { Photo } from '../imaging/orientation.ts'
import { warp } from '../imaging/views.ts'
import type { Session } from '../runtime/runtime.ts'
import type { Detection } from './detection.ts'

/**
 * Tile sides are multiples of this: the coarsest grid of the networks. Few distinct shapes also keep the runtime's
 * memory small.
 */
const SIDE_STEP_PX = 32

/** A rectangle of the photo in the resolution of a network's input. */
interface Tile {
  /** In pixels of the network's input. */
  readonly width: number
  readonly height: number
  /** Maps tile coordinates to the upright photo. */
  readonly toUpright: Affine
}

/**
 * `pixel`, here and below, is the side of an input pixel in photo pixels. `longerSide` input pixels of this size show
 * the longer side of the photo. At least 1.
 */
export const pixelFor = ({ width, height }: Size, longerSide: number): number =>
  Math.max(1, Math.max(width, height) / longerSide)

/** The whole photo, centred on black; in a square of `side` pixels if given. */
export function wholePhoto({ width, height }: Size, pixel: number, side?: number): Tile {
  const [across, down] = [side ?? roundUp(width / pixel), side ?? roundUp(height / pixel)]
  const [left, top] = [(width - across * pixel) / 2, (height - down * pixel) / 2]
  return { width: across, height: down, toUpright: [pixel, 0, left, 0, pixel, top] }
}

/** Maximum enlargement of a small photo: networks miss faces of 50 px on small photos. */
const MOST_ENLARGED = 1.5

/** Sides of tiles are rounded up. That may add this part; a very long or high photo gets larger pixels instead. */
const MOST_ROUNDED = 0.25

/** Side of the pixels with which a tile of the whole photo has about `pixels` at most. */
export function planWholePhoto(photo: Size, pixels: number): number {
  let pixel = Math.max(1 / MOST_ENLARGED, Math.sqrt((photo.width * photo.height) / pixels))
  const area = ({ width, height }: Tile) => width * height
  while (area(wholePhoto(photo, pixel)) > (1 + MOST_ROUNDED) * pixels) pixel *= 1.1
  return pixel
}

/** The next multiple of `step`. A length that exceeds one by a rounding error stays at it. */
export const roundUp = (length: number, step = SIDE_STEP_PX): number =>
  Math.max(1, Math.ceil(length / step - 1e-9)) * step

/** Detections of at least `leastScore` on a tile, in photo pixels, several per face. */
export type Network = (photo: Photo, tile: Tile, leastScore: number) => Promise<Detection[]>

/** Converts a network's outputs for a tile of `width` pixels to detections in pixels of the tile. */
export type ReadOutputs = (
  outputs: Readonly<Record<string, Float32Array>>,
  width: number,
  leastScore: number,
) => Detection[]

/** Outputs of a network for a tile of a photo. */
export function runOn(
  session: Session,
  input: ModelInput,
  photo: Photo,
  { width, height, toUpright }: Tile,
): Promise<Record<string, Float32Array>> {
  const data = new Float32Array(inputLength(width, height))
  writeInput(input, warp(photo, toUpright, width, height), width, data)
  return session.run({ [input.name]: { data, dims: [1, 3, height, width] } })
}

/** Wraps a loaded network as a function of photo and tile. */
export const networkOf =
  (session: Session, input: ModelInput, read: ReadOutputs): Network =>
  async (photo, tile, leastScore) => {
    const { width, toUpright } = tile
    const found = read(await runOn(session, input, photo, tile), width, leastScore)
    return found.map(face => mapDetection(toUpright, face))
  }

/** The image of a face under a map that scales, translates, mirrors and turns by quarters. */
export const mapDetection = (map: Affine, { box, score, points }: Detection): Detection => ({
  score,
  box: transformBox(map, box),
  ...(points && { points: points.map(point => transformPoint(map, point)) }),
})
