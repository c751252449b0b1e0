/** Tiles of a photo as tensors for a network, and the network's answer as detections on the photo. */
import { inputLength, writeInput } from '../../models/input.ts'
import type { ModelInput } from '../../models/manifest.ts'
import { moved, movedBox } from '../imaging/geometry.ts'
import { type Photo, warp } from '../imaging/image.ts'
import type { Session } from '../runtime/runtime.ts'
import type { Detection } from './detection.ts'
import { isCutOff, type Tile } from './tiling.ts'

/**
 * Detections of at least `leastScore` on a tile, in photo pixels, several for each face. Faces that the tile's edges cut
 * are left out.
 */
export type Network = (photo: Photo, tile: Tile, leastScore: number) => Promise<Detection[]>

/** A network's outputs for a tile `width` pixels wide -> detections in that tile's pixels. */
export type ReadOutputs = (
  outputs: Readonly<Record<string, Float32Array>>,
  width: number,
  leastScore: number,
) => Detection[]

/** A loaded network as a function of photos and tiles. */
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
        box: movedBox(toUpright, box),
        ...(points && { points: points.map(point => moved(toUpright, point)) }),
      }))
      .filter(({ box }) => !isCutOff(box, photo, tile))
  }
