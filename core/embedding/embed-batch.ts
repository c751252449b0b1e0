/** A batch of chips through the network: pixels to embeddings, on whatever thread calls. */
import { inputLength, writeInput } from '../../models/input.ts'
import type { EmbedderModel } from '../../models/manifest.ts'
import type { Session } from '../../wasm/runtime.ts'

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
  const length = chipLength(model)
  const { size } = model.chip
  const data = new Float32Array(views.length * chips.length)
  for (let at = 0; at < chips.length; at += length) {
    const chip = chips.subarray(at, at + length)
    for (const [view, mirrored] of views.entries()) {
      writeInput(model.input, chip, size, data, { offset: at * views.length + view * length, mirrored })
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
