/** Tiles: rectangles of a photo that networks take as input, and their results on the photo. */
import type { Box } from '../../contract/model/bbox.ts'
import { inputLength, writeInput } from '../../models/input.ts'
import type { ModelInput } from '../../models/manifest.ts'
import { type Affine, centreOf, type Size, transformBox, transformPoint } from '../imaging/geometry.ts'
import { type Photo, warp } from '../imaging/image.ts'
import type { Session } from '../runtime/runtime.ts'
import type { Detection } from './detection.ts'

/**
 * Tile sides are multiples of this: the coarsest grid of the networks. Few distinct shapes also keep the runtime's
 * memory small.
 */
const STEP = 32

/** A rectangle of the photo in the resolution of a network's input. */
export interface Tile {
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
  const [across, down] = [side ?? roundedUp(width / pixel), side ?? roundedUp(height / pixel)]
  return tileAround(across, down, pixel, width / 2, height / 2)
}

/** Square tiles. Each box has its centre in the middle half of a tile; one tile serves neighbouring boxes. */
export function tilesAround(pixel: number, side: number, boxes: readonly Box[]): Tile[] {
  const reach = (side / 4) * pixel
  const centres: { x: number; y: number }[] = []
  for (const { x, y } of boxes.map(centreOf)) {
    const isShown = centres.some(centre => Math.abs(centre.x - x) <= reach && Math.abs(centre.y - y) <= reach)
    if (!isShown) centres.push({ x, y })
  }
  return centres.map(({ x, y }) => tileAround(side, side, pixel, x, y))
}

const roundedUp = (length: number): number => Math.max(1, Math.ceil(length / STEP - 1e-9)) * STEP

function tileAround(width: number, height: number, pixel: number, x: number, y: number): Tile {
  return { width, height, toUpright: [pixel, 0, x - (width / 2) * pixel, 0, pixel, y - (height / 2) * pixel] }
}

/** A box this close to a tile's edge, in tile pixels, may show only a part of a face. */
const NEAR_EDGE = 3

/** True if the box, in photo pixels, reaches an edge of the tile that is not an edge of the photo. */
function isCutOff(box: Box, photo: Size, { width, height, toUpright }: Tile): boolean {
  const [pixel, , left, , , top] = toUpright
  const near = NEAR_EDGE * pixel
  const [right, bottom] = [left + width * pixel, top + height * pixel]
  return (
    (left > 0 && box.x1 < left + near) ||
    (top > 0 && box.y1 < top + near) ||
    (right < photo.width && box.x2 > right - near) ||
    (bottom < photo.height && box.y2 > bottom - near)
  )
}

/**
 * Detections of at least `leastScore` on a tile, in photo pixels, several per face. Faces cut by the tile's edges are
 * left out.
 */
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
    return read(await runOn(session, input, photo, tile), width, leastScore)
      .map(({ box, score, points }) => ({
        score,
        box: transformBox(toUpright, box),
        ...(points && { points: points.map(point => transformPoint(toUpright, point)) }),
      }))
      .filter(({ box }) => !isCutOff(box, photo, tile))
  }
