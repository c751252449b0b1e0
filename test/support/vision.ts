/** Opens the vision models as core's photo worker does, and reads photos with known faces. */
import { buildModels } from '#commands/build/models.ts'
import type { Selection } from '#contract/model/photo-analysis.ts'
import { readModel } from '#models/files.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { analyzePhoto, openVisionModels, type VisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { sample } from './client.ts'

/** Three people side by side with heads of 160 to 190 pixels, on 1,920 x 1,280 pixels. */
export const threePeople = () => sample(1)

/** Five people on stairs, one above the other. */
export const fivePeople = () => sample(5)

/** The faces on `threePeople`, from forehead to chin, in reading order. The right one is first because it is highest. */
export const THREE_FACES = [
  { x1: 1483, y1: 217, x2: 1672, y2: 424 },
  { x1: 411, y1: 354, x2: 601, y2: 601 },
  { x1: 827, y1: 424, x2: 1031, y2: 661 },
]

/** Opens the vision models, and builds them when they are missing. */
export async function openTestModels(): Promise<VisionModels> {
  await buildModels()
  return openVisionModels(await openRuntime(), loadCodecs(), readModel)
}

/** Faces on a photo, by default all, in reading order. */
export async function selectedFaces(
  models: VisionModels,
  photo: Uint8Array,
  selection: Partial<Selection> = {},
) {
  const options = { maxBytes: 2 ** 30, param: 'photo' }
  return (await analyzePhoto(models, photo, { selector: 'all', boxes: [], ...selection }, options)).selected
}

/** RGB pixels of lines of this width, from right to left. */
export const mirrored = (pixels: Uint8Array, width: number): Uint8Array =>
  pixels.map((_, i) => {
    const [row, column, channel] = [Math.floor(i / 3 / width), Math.floor(i / 3) % width, i % 3]
    return pixels[(row * width + (width - 1 - column)) * 3 + channel]!
  })
