/** Analyses pictures as core does, with a memory budget above the need of every test picture. */
import { readdir } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { ServiceError } from '#contract/errors.ts'
import type { Box } from '#contract/model/bbox.ts'
import { readerOf } from '#models/files.ts'
import { type PlacedPack, STANDARD_PACK } from '#models/packs.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import type { Raster } from '#wasm/imaging/orientation.ts'
import { analyzePhoto, openVisionModels, type SelectedFace, type VisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'

export const BUDGET = { maxBytes: 2 ** 30, param: 'photo' }

/** The pack's files must exist. */
export const openAnalysis = async (pack: PlacedPack = STANDARD_PACK): Promise<VisionModels> =>
  openVisionModels(await openRuntime(), loadCodecs(), readerOf(pack.files), pack)

type Selection = NonNullable<Parameters<typeof analyzePhoto>[2]>

/** The selected faces, also faces too poor to recognise; none when no face is found. */
export async function facesOn(
  models: VisionModels,
  bytes: Uint8Array,
  selection: Partial<Selection> = {},
): Promise<SelectedFace[]> {
  const all: Selection = { selector: 'any', boxes: [], ...selection }
  try {
    return (await analyzePhoto(models, new Uint8Array(bytes), all, BUDGET)).selected
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NO_FACES') return []
    throw error
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Distance of the box's centre from the centre of an upright picture, in half pixels. */
const offCentre = ({ x1, y1, x2, y2 }: Box, { width, height }: Size) =>
  Math.hypot(x1 + x2 - width, y1 + y2 - height)

/** The face nearest to the centre of an upright picture. */
export const mostCentral = <Face extends { readonly box: Box }>(
  faces: readonly Face[],
  size: Size,
): Face | undefined => faces.toSorted((a, b) => offCentre(a.box, size) - offCentre(b.box, size))[0]

/** Paths of the pictures below a folder, relative to it and sorted. */
export const picturesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter(file => /\.(jpe?g|png|webp)$/i.test(file)).sort()

/** The image as 8-bit RGB pixels. */
export async function pixelsOf(image: Sharp): Promise<Raster> {
  const { data, info } = await image
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}
