/** Embeds a batch of chips on the calling thread. */
import { inputLength, writeInput } from '../../models/input.ts'
import { type ChipModel, type EmbedderModel, embedderSide } from '../../models/manifest.ts'
import type { Session } from '../../wasm/runtime/runtime.ts'

/** Bytes of one chip. */
export const chipLength = ({ chip: { size } }: EmbedderModel): number => inputLength(size, size)

/**
 * Embeddings of concatenated chips. For a `mirrored` model, each is the mean of the outputs for the face
 * and its mirror image. Embeddings are not normalized.
 */
export async function embedBatch(
  session: Session,
  model: EmbedderModel,
  chips: Uint8Array,
): Promise<Float32Array[]> {
  const views = model.mirrored ? [false, true] : [false]
  const size = embedderSide(model.chip)
  const length = inputLength(size, size)
  const faces = parts(chips, chipLength(model)).map(chip => middleOf(chip, model.chip))
  const data = inputOf(model.input, size, faces, views)
  const pictures = model.single ? length : data.length
  const vectors = new Float32Array((data.length / length) * model.dimension)
  for (let at = 0; at < data.length; at += pictures) {
    const batch = data.subarray(at, at + pictures)
    const dims = [batch.length / length, 3, size, size]
    const outputs = await session.run({ [model.input.name]: { data: batch, dims } })
    vectors.set(outputs[model.output]!, (at / length) * model.dimension)
  }
  return meansOf(vectors, faces.length, model.dimension)
}

/** Network input of pictures with `size` pixels per side. The views of a picture, mirrored or not, are adjacent. */
export function inputOf(
  input: EmbedderModel['input'],
  size: number,
  pictures: readonly Uint8Array[],
  views: readonly boolean[],
): Float32Array {
  const length = inputLength(size, size)
  const data = new Float32Array(pictures.length * views.length * length)
  let offset = 0
  for (const picture of pictures) {
    for (const mirrored of views) {
      writeInput(input, picture, size, data, { offset, mirrored })
      offset += length
    }
  }
  return data
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

/** Per face, the mean over its consecutive outputs of `width` numbers each. */
export const meansOf = (numbers: Float32Array, faces: number, width: number): Float32Array[] =>
  parts(numbers, numbers.length / faces).map(ofFace => {
    const means = new Float32Array(width)
    for (const [i, number] of ofFace.entries()) means[i % width]! += (number * width) / ofFace.length
    return means
  })

/** Splits concatenated values into views of `length` each. */
export const parts = <Numbers extends Uint8Array | Float32Array>(
  numbers: Numbers,
  length: number,
): Numbers[] =>
  Array.from(
    { length: numbers.length / length },
    (_, i) => numbers.subarray(i * length, (i + 1) * length) as Numbers,
  )
