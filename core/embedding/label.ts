/** The name of what makes embeddings: vectors under two names can't be compared. */
import { createHash } from 'node:crypto'
import { type EmbedderModel, entryOf, STANDARD } from '../../models/manifest.ts'

/**
 * Such as `recognition-128-5f3a09c1`: the network's file, the length of an embedding, and a hash of all that decides on
 * its numbers: where the weights come from, and how a chip is cut and shown.
 */
export function embedderLabel(model: EmbedderModel = STANDARD.embedder): string {
  const { file, dimension, mirrored, chip, input, output } = model
  const { package: origin, version, description, weights } = entryOf(file)
  const recipe = JSON.stringify({
    origin,
    version,
    description,
    weights,
    dimension,
    mirrored,
    chip,
    input,
    output,
  })
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 8)
  return `${file.replace(/\.onnx$/, '')}-${dimension}-${hash}`
}
