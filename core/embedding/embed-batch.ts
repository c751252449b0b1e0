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

/** The loaded networks of an embedder, in their order, its projection and its regression of clearness. */
interface LoadedEmbedder {
  readonly model: EmbedderModel
  readonly sessions: readonly Session[]
  /** Rows of the matrix, in sequence; undefined for an embedder without a projection. */
  readonly projection: Float32Array | undefined
  /** Weights and constant; undefined for an embedder without them. */
  readonly clearness: Float32Array | undefined
}

/** Loads all networks. Throws an Error for a missing or damaged file, and for a matrix or regression of another size. */
export async function loadEmbedder(
  model: EmbedderModel,
  read: ReadModel,
  { native = true } = {},
): Promise<LoadedEmbedder> {
  const numbers = await readNumbers(model, read)
  const sessions: Session[] = []
  for (const { file } of model.networks) sessions.push(await openSession(await read(file), { native }))
  return { model, sessions, ...numbers }
}

/** Reads the matrix and the regression of an embedder that has them. Throws an Error for one of another size. */
export async function readNumbers(
  { networks, projection, clearness, dimension }: EmbedderModel,
  read: ReadModel,
): Promise<Pick<LoadedEmbedder, 'projection' | 'clearness'>> {
  const numbersOf = async (entry: { file: string } | undefined, count: number) => {
    if (!entry) return undefined
    const { buffer } = await read(entry.file)
    if (buffer.byteLength !== 4 * count)
      throw new Error(`${entry.file} has ${buffer.byteLength} bytes, not ${4 * count}.`)
    return new Float32Array(buffer)
  }
  const length = concatenatedLength(networks)
  return {
    projection: await numbersOf(projection, dimension * length),
    clearness: await numbersOf(clearness, length + networks.length + 1),
  }
}

/** Bytes of one chip. */
export const chipLength = ({ chip: { size } }: EmbedderModel): number => inputLength(size, size)

/** Embeddings of concatenated chips. The length of an embedding is the clearness of its face, 0..1; 1 where none is known. */
export async function embedBatch(loaded: LoadedEmbedder, chips: Uint8Array): Promise<Float32Array[]> {
  const { model, projection, clearness } = loaded
  return (await networkVectors(loaded, chips)).map(vectors => {
    const joined = joinedVector(vectors, model.networks)
    const embedding = projection ? matrixProduct(projection, joined) : joined
    const length = clearness ? clearnessOf(clearness, vectors) : 1
    return scaled(embedding, length / (Math.hypot(...embedding) || 1))
  })
}

/** The vectors of all networks for each of the concatenated chips. */
export async function networkVectors(
  { model, sessions }: LoadedEmbedder,
  chips: Uint8Array,
): Promise<Float32Array[][]> {
  const faces = parts(chips, chipLength(model)).map(chip => middleOf(chip, model.chip))
  const vectors: Float32Array[][] = []
  for (const [i, network] of model.networks.entries())
    vectors.push(await vectorsOf(sessions[i]!, network, embedderSide(model.chip), faces))
  return faces.map((_, face) => vectors.map(ofNetwork => ofNetwork[face]!))
}

/**
 * How sure the networks are to see a whole plain face, 0..1: covered faces get shorter vectors in other directions. The regression
 * comes from `npm run bench -- coverings --update`. Never 0: an embedding keeps its direction.
 */
function clearnessOf(regression: Float32Array, vectors: readonly Float32Array[]) {
  const signs = clearnessSigns(vectors)
  const logit = regression.reduce((sum, weight, i) => sum + weight * (signs[i] ?? 1), 0)
  return 1 / (1 + Math.exp(-Math.max(-LARGEST_LOGIT, logit)))
}

const LARGEST_LOGIT = 30

/** The inputs of the regression of clearness, without the constant. */
export const clearnessSigns = (vectors: readonly Float32Array[]): Float32Array => {
  const lengths = vectors.map(vector => Math.hypot(...vector) || 1)
  return Float32Array.from([
    ...vectors.flatMap((vector, i) => Array.from(scaled(vector, 1 / lengths[i]!))),
    ...lengths.map(Math.log),
  ])
}

const scaled = (vector: Float32Array, scale: number): Float32Array => vector.map(value => scale * value)

/** The concatenated unit vectors of one face, multiplied by the weights of their networks. */
const joinedVector = (vectors: readonly Float32Array[], networks: readonly EmbedderNetwork[]): Float32Array =>
  Float32Array.from(
    vectors.flatMap((vector, i) =>
      Array.from(scaled(vector, networks[i]!.weight / (Math.hypot(...vector) || 1))),
    ),
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
