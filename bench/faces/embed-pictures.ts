/** Pictures to embeddings, as the service makes them: a look at each, then the embedder. */
import { readFile } from 'node:fs/promises'
import { ServiceError } from '../../core/contract/errors.ts'
import type { Box } from '../../core/contract/model/bbox.ts'
import { openEmbedder } from '../../core/embedding/embedder.ts'
import { unitVector } from '../../core/vector-store/unit-vector.ts'
import { readerOf } from '../../models/files.ts'
import { type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'
import { loadCodecs } from '../../wasm/decode/codecs.node.ts'
import { readHeader } from '../../wasm/decode/header.ts'
import { analyzePhoto, openVisionModels } from '../../wasm/pipeline.ts'
import { openRuntime } from '../../wasm/runtime/runtime.node.ts'
import { type Choice, offCentre } from './choice.ts'

/** More than any test picture takes. */
const BUDGET = 2 ** 30

/** Looks are taken one after the other; so many chips may meanwhile be on their way through the embedder. */
const UNDER_WAY = 16

/**
 * Path -> unit embedding, or undefined where no face was found. Needs the pack's files. `onProgress` is told how many
 * are done, and `onFace` is given the chip and the unit embedding of each face.
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
    const options = { budget: BUDGET, param: 'photo' }
    const sighting = await analyzePhoto(models, bytes, { selector, boxes: [] }, options).catch(nothingFound)
    return sighting && mostCentral(sighting.selected, readHeader(bytes))?.chip
  }

  const embeddings = new Map<string, Float32Array | undefined>()
  for (let at = 0; at < paths.length; at += UNDER_WAY) {
    const some = paths.slice(at, at + UNDER_WAY)
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
    onProgress(Math.min(paths.length, at + UNDER_WAY))
  }
  await embedder.close()
  return embeddings
}

function nothingFound(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'NO_FACES') throw error
}

/** The face nearest to the middle of a picture of this size, which must be stored upright. */
export function mostCentral<Face extends { readonly box: Box }>(
  faces: readonly Face[],
  size: { readonly width: number; readonly height: number },
): Face | undefined {
  return faces.toSorted((a, b) => offCentre(a.box, size) - offCentre(b.box, size))[0]
}
