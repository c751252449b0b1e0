/** Variants of embedding one face: other networks, dimensions, views and alignment points. */
import { readFile } from 'node:fs/promises'
import { openSession } from '#core/embedding/chip-pool.ts'
import { embedBatch } from '#core/embedding/embed-batch.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'
import { mobileFaceNetModel } from '#models/convert/mobilefacenet.ts'
import { readModel } from '#models/files.ts'
import { type EmbedderModel, entryOf } from '#models/manifest.ts'
import { DLIB_PACK, STANDARD_PACK } from '#models/packs.ts'
import type { Alignment } from './aligned-chips.ts'

export interface Variant {
  name: string
  alignment: Alignment
  /** Returns an embedding of unit length. */
  embed(chip: Uint8Array): Promise<Float32Array>
}

/** Opens every variant with its own session. */
export async function openVariants(): Promise<Variant[]> {
  const { embedder } = STANDARD_PACK
  const source = await sourceOf(embedder.file)
  const shipped = await readModel(embedder.file)
  const all = 512
  return Promise.all([
    variant('dlib', 'dlib', DLIB_PACK.embedder, await readModel(DLIB_PACK.embedder.file)),
    variant('standard', 'landmarks', embedder, shipped),
    variant('standard, and the mirror image', 'landmarks', { ...embedder, mirrored: true }, shipped),
    variant('standard, all 512 numbers', 'landmarks', { ...embedder, dimension: all, single: true }, source),
    variant(
      'standard, 128 numbers',
      'landmarks',
      { ...embedder, dimension: 128 },
      mobileFaceNetModel(source, 128),
    ),
    variant("standard, by the detector's points", 'detector', embedder, shipped),
  ])
}

async function variant(
  name: string,
  alignment: Alignment,
  model: EmbedderModel,
  network: Uint8Array,
): Promise<Variant> {
  const session = await openSession(network)
  return { name, alignment, embed: async chip => unitVector(await embedBatch(session, model, chip)) }
}

/** The file in the npm package from which the embedder is built. */
async function sourceOf(file: string): Promise<Uint8Array> {
  const entry = entryOf(file)
  if (!('network' in entry)) throw new Error(`${file} is not made of an ONNX file`)
  const path = new URL(`../../node_modules/${entry.package}/${entry.network}`, import.meta.url)
  return new Uint8Array(await readFile(path))
}
