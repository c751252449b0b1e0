/** Embeds a batch of chips on the calling thread. */
import { inputLength, writeInput } from '../../models/input.ts'
import {
  type ChipModel,
  concatenatedLength,
  type EmbedderModel,
  type EmbedderNetwork,
  embedderSide,
  type ModelInput,
  type ReadModel,
} from '../../models/manifest.ts'
import type { Session } from '../../wasm/runtime/runtime.ts'
import { openSession } from './chip-pool.ts'

/** The loaded networks of an embedder, in their order, and its projection. */
export interface LoadedEmbedder {
  readonly model: EmbedderModel
  readonly sessions: readonly Session[]
  /** Rows of the matrix, in sequence; undefined for an embedder without a projection. */
  readonly projection: Float32Array | undefined
}

/** Loads all networks. Throws an Error for a missing or damaged file, and for a projection of another size. */
export async function loadEmbedder(
  model: EmbedderModel,
  read: ReadModel,
  { native = true } = {},
): Promise<LoadedEmbedder> {
  const projection = await readProjection(model, read)
  const sessions: Session[] = []
  for (const { file } of model.networks) sessions.push(await openSession(await read(file), { native }))
  return { model, sessions, projection }
}

/** Reads the matrix of an embedder that has one. Throws an Error for a matrix of another size. */
export async function readProjection(
  { networks, projection, dimension }: EmbedderModel,
  read: ReadModel,
): Promise<Float32Array | undefined> {
  if (!projection) return undefined
  const { buffer } = await read(projection.file)
  const bytes = 4 * dimension * concatenatedLength(networks)
  if (buffer.byteLength !== bytes)
    throw new Error(`${projection.file} has ${buffer.byteLength} bytes, not ${bytes}.`)
  return new Float32Array(buffer)
}

/** Bytes of one chip. */
export const chipLength = ({ chip: { size } }: EmbedderModel): number => inputLength(size, size)

/** Embeddings of concatenated chips. They are not normalised. */
export async function embedBatch(
  { model, sessions, projection }: LoadedEmbedder,
  chips: Uint8Array,
): Promise<Float32Array[]> {
  const faces = parts(chips, chipLength(model)).map(chip => middleOf(chip, model.chip))
  const vectors: Float32Array[][] = []
  for (const [i, network] of model.networks.entries())
    vectors.push(await vectorsOf(sessions[i]!, network, embedderSide(model.chip), faces))
  if (vectors.length === 1 && !projection) return vectors[0]!
  return faces.map((_, face) => {
    const own = vectors.map(ofNetwork => ofNetwork[face]!)
    const joined = joinedVector(own, model.networks)
    return projection ? matrixProduct(projection, joined) : joined
  })
}

/** The concatenated unit vectors of one face, multiplied by the weights of their networks. */
const joinedVector = (vectors: readonly Float32Array[], networks: readonly EmbedderNetwork[]): Float32Array =>
  Float32Array.from(
    vectors.flatMap((vector, i) => {
      const scale = networks[i]!.weight / (Math.hypot(...vector) || 1)
      return Array.from(vector, value => scale * value)
    }),
  )

/** A matrix, rows in sequence, times a vector. */
export const matrixProduct = (matrix: Float32Array, vector: Float32Array): Float32Array =>
  Float32Array.from({ length: matrix.length / vector.length }, (_, row) =>
    vector.reduce((sum, value, i) => sum + value * matrix[row * vector.length + i]!, 0),
  )

/** The vectors of one network. For a `mirrored` one, each is the mean for the face and its mirror image. */
async function vectorsOf(
  session: Session,
  network: EmbedderNetwork,
  size: number,
  faces: readonly Uint8Array[],
): Promise<Float32Array[]> {
  const length = inputLength(size, size)
  const data = inputOf(network.input, size, faces, network.mirrored ? [false, true] : [false])
  const pictures = network.single ? length : data.length
  const vectors = new Float32Array((data.length / length) * network.dimension)
  for (let at = 0; at < data.length; at += pictures) {
    const batch = data.subarray(at, at + pictures)
    const dims = [batch.length / length, 3, size, size]
    const outputs = await session.run({ [network.input.name]: { data: batch, dims } })
    vectors.set(outputs[network.output]!, (at / length) * network.dimension)
  }
  return meansOf(vectors, faces.length, network.dimension)
}

/** Network input of pictures with `size` pixels per side. The views of a picture, mirrored or not, are adjacent. */
export function inputOf(
  input: ModelInput,
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
