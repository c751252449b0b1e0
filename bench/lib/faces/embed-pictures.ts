/** Embeds pictures as the service does: analysis, then embedder. */
import { readFile } from 'node:fs/promises'
import { ServiceError } from '#contract/errors.ts'
import type { Box } from '#contract/model/bbox.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'
import { readerOf } from '#models/files.ts'
import { type PlacedPack, STANDARD_PACK } from '#models/packs.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { analyzePhoto, openVisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { type Choice, offCentre } from '../measures/choice.ts'

/** Memory limit above the need of every test picture, in bytes. */
const BUDGET = 2 ** 30

/** Maximum number of chips queued for the embedder while pictures are analyzed one after the other. */
const MAX_QUEUED = 16

/**
 * Unit embedding by path; undefined when no face was found. The pack's files must exist. `onProgress` receives the
 * number of finished pictures, and `onFace` the chip and unit embedding of each face.
 */
export async function embedPictures(
  paths: readonly string[],
  choice: Choice,
  onProgress: (done: number) => void = () => {},
  pack: PlacedPack = STANDARD_PACK,
  onFace: (path: string, chip: Uint8Array, unit: Float32Array) => Promise<void> = async () => {},
): Promise<Map<string, Float32Array | undefined>> {
  const models = await openVisionModels(await openRuntime(), loadCodecs(), readerOf(pack.files), pack)
  const embedder = await openEmbedder({ pack })

  const chipOf = async (path: string): Promise<Uint8Array | undefined> => {
    const bytes = new Uint8Array(await readFile(path))
    const selector = choice === 'biggest' ? 'biggest' : 'all'
    const options = { maxBytes: BUDGET, param: 'photo' }
    const sighting = await analyzePhoto(models, bytes, { selector, boxes: [] }, options).catch(nothingFound)
    return sighting && mostCentral(sighting.selected, readHeader(bytes))?.chip
  }

  const embeddings = new Map<string, Float32Array | undefined>()
  for (let at = 0; at < paths.length; at += MAX_QUEUED) {
    const some = paths.slice(at, at + MAX_QUEUED)
    const embedded: Promise<void>[] = []
    for (const path of some) {
      const chip = await chipOf(path)
      embeddings.set(path, undefined)
      if (chip) {
        embedded.push(
          embedder.embed([chip]).then(([vector]) => {
            const unit = unitVector(vector!)
            embeddings.set(path, unit)
            return onFace(path, chip, unit)
          }),
        )
      }
    }
    await Promise.all(embedded)
    onProgress(Math.min(paths.length, at + MAX_QUEUED))
  }
  await embedder.close()
  return embeddings
}

function nothingFound(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'NO_FACES') throw error
}

/** The face nearest to the centre of a picture of this size. The picture must be stored upright. */
export function mostCentral<Face extends { readonly box: Box }>(
  faces: readonly Face[],
  size: { readonly width: number; readonly height: number },
): Face | undefined {
  return faces.toSorted((a, b) => offCentre(a.box, size) - offCentre(b.box, size))[0]
}
