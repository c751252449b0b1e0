/** The looker as core's photo worker opens it, and real photos for it to look at. */

import { buildModels } from '#commands/build/models.ts'
import type { Box } from '#contract/model/bbox.ts'
import { readModel } from '#models/files.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { openVisionModels, type VisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { sample } from './client.ts'

/** Three people side by side, heads 160 to 190 pixels large, on 1,920 x 1,280 pixels. */
export const threePeople = () => sample(1)

/** Five people on stairs, one above the other. */
export const fivePeople = () => sample(5)

/** The faces on `threePeople`, from forehead to chin, in reading order: the one on the right is a head taller. */
export const THREE_FACES = [
  { x1: 1493, y1: 250, x2: 1655, y2: 418 },
  { x1: 426, y1: 372, x2: 605, y2: 604 },
  { x1: 844, y1: 435, x2: 1025, y2: 641 },
]

/** Opens the looker, with models that are built if they are not there. */
export async function openTestModels(): Promise<VisionModels> {
  await buildModels()
  return openVisionModels(await openRuntime(), loadCodecs(), readModel)
}

/** The most that an edge of the one box is away from the other's, in pixels. */
export const apart = (a: Box, b: Box): number =>
  Math.max(...(['x1', 'y1', 'x2', 'y2'] as const).map(edge => Math.abs(a[edge] - b[edge])))
