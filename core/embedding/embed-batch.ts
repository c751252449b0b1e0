/** Embeds a batch of chips on the calling thread. */
import { inputLength, writeInput } from '../../models/input.ts'
import { type ChipModel, type EmbedderModel, embedderSide } from '../../models/manifest.ts'
import type { Session } from '../../wasm/runtime/runtime.ts'

/** Bytes of one chip. */
export const chipLength = ({ chip: { size } }: EmbedderModel): number => inputLength(size, size)

/**
 * Concatenated embeddings of concatenated chips. For a `mirrored` model, each is the mean of the outputs for the face
 * and its mirror image. Embeddings are not normalized.
 */
export async function embedBatch(
  session: Session,
  model: EmbedderModel,
  chips: Uint8Array,
): Promise<Float32Array> {
  const views = model.mirrored ? [false, true] : [false]
  const size = embedderSide(model.chip)
  const length = inputLength(size, size)
  const count = chips.length / chipLength(model)
  const data = new Float32Array(count * views.length * length)
  for (let i = 0; i < count; i++) {
    const face = middleOf(chips.subarray(i * chipLength(model), (i + 1) * chipLength(model)), model.chip)
    for (const [view, mirrored] of views.entries()) {
      writeInput(model.input, face, size, data, { offset: (i * views.length + view) * length, mirrored })
    }
  }
  const pictures = model.single ? length : data.length
  const vectors = new Float32Array((data.length / length) * model.dimension)
  for (let at = 0; at < data.length; at += pictures) {
    const batch = data.subarray(at, at + pictures)
    const dims = [batch.length / length, 3, size, size]
    const outputs = await session.run({ [model.input.name]: { data: batch, dims } })
    vectors.set(outputs[model.output]!, (at / length) * model.dimension)
  }
  return meanOfViews(vectors, views.length, model.dimension)
}

/** The chip without its margin, as the network expects it. */
function middleOf(chip: Uint8Array, kind: ChipModel): Uint8Array {
  const side = embedderSide(kind)
  const margin = (kind.size - side) / 2
  if (margin === 0) return chip
  const middle = new Uint8Array(inputLength(side, side))
  for (let row = 0; row < side; row++) {
    const from = inputLength(kind.size, margin + row) + inputLength(margin, 1)
    middle.set(chip.subarray(from, from + inputLength(side, 1)), inputLength(side, row))
  }
  return middle
}

/** Averages each run of `views` consecutive vectors. */
function meanOfViews(vectors: Float32Array, views: number, dimension: number): Float32Array {
  const means = new Float32Array(vectors.length / views)
  for (let at = 0; at < means.length; at++) {
    const first = Math.floor(at / dimension) * dimension * views + (at % dimension)
    let sum = 0
    for (let view = 0; view < views; view++) sum += vectors[first + view * dimension]!
    means[at] = sum / views
  }
  return means
}
