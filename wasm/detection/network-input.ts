/** Converts tiles of a photo to network inputs, and network outputs to detections on the photo. */
import { inputLength, writeInput } from '../../models/input.ts'
import type { ModelInput } from '../../models/manifest.ts'
import { transformBox, transformPoint } from '../imaging/geometry.ts'
import { type Photo, warp } from '../imaging/image.ts'
import type { Session } from '../runtime/runtime.ts'
import type { Detection } from './detection.ts'
import { isCutOff, type Tile } from './tiling.ts'

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

/** Wraps a loaded network as a function of photo and tile. */
export const networkOf =
  (session: Session, input: ModelInput, read: ReadOutputs): Network =>
  async (photo, tile, leastScore) => {
    const { width, height, toUpright } = tile
    const data = new Float32Array(inputLength(width, height))
    writeInput(input, warp(photo, toUpright, width, height), width, data)
    const outputs = await session.run({ [input.name]: { data, dims: [1, 3, height, width] } })
    return read(outputs, width, leastScore)
      .map(({ box, score, points }) => ({
        score,
        box: transformBox(toUpright, box),
        ...(points && { points: points.map(point => transformPoint(toUpright, point)) }),
      }))
      .filter(({ box }) => !isCutOff(box, photo, tile))
  }
