/** A batch of chips through the network: pixels to embeddings, on whatever thread calls. */
import { inputLength, writeInput } from '../../models/input.ts'
import { type ChipModel, type EmbedderModel, embedderSide } from '../../models/manifest.ts'
import type { Session } from '../../wasm/runtime/runtime.ts'

/** Bytes of one chip. */
export const chipLength = ({ chip: { size } }: EmbedderModel): number => inputLength(size, size)

/**
 * The embeddings, one after the other, of chips that lie one after the other. Where the model is `mirrored`, each is
 * the mean of what the network says of the face and of its mirror image. Lengths are as the network gives them.
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
    const seen = middleOf(chips.subarray(i * chipLength(model), (i + 1) * chipLength(model)), model.chip)
    for (const [view, mirrored] of views.entries()) {
      writeInput(model.input, seen, size, data, { offset: (i * views.length + view) * length, mirrored })
    }
  }
  const pictures = model.single ? length : data.length
  const vectors = new Float32Array((data.length / length) * model.dimension)
  for (let at = 0; at < data.length; at += pictures) {
    const some = data.subarray(at, at + pictures)
    const dims = [some.length / length, 3, size, size]
    const outputs = await session.run({ [model.input.name]: { data: some, dims } })
    vectors.set(outputs[model.output]!, (at / length) * model.dimension)
  }
  return meanOfViews(vectors, views.length, model.dimension)
}

/** What the network sees of a chip: the same pixels, without the margin. */
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

/** Each `views` vectors in a row become their mean. */
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
