/** The name of what makes embeddings: vectors under two names can't be compared. */
import { createHash } from 'node:crypto'
import type { ModelFile } from '../../models/file-entry.ts'
import { type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'

/**
 * Such as `recognition-128-5f3a09c1`: the network's file, the length of an embedding, and a hash of all that decides on
 * its numbers: where the weights come from, and how a chip is cut and shown.
 */
export function embedderLabel({
  embedder,
  files,
}: Pick<PlacedPack, 'embedder' | 'files'> = STANDARD_PACK): string {
  const { file, dimension, mirrored, chip, input, output } = embedder
  const recipe = JSON.stringify({ ...originOf(files[file]!), dimension, mirrored, chip, input, output })
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 8)
  return `${file.replace(/\.onnx$/, '')}-${dimension}-${hash}`
}

/**
 * A network converted number by number may be converted otherwise and mean the same. Any other is known by its bytes alone: the
 * embedder with fewer outputs, too, because the projection decides on the embedding.
 */
function originOf(file: ModelFile) {
  if (!('weights' in file)) return { sha256: file.sha256 }
  const { package: origin, version, description, weights } = file
  return { origin, version, description, weights }
}
