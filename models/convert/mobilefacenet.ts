/** The MobileFaceNet of faceplugin-face-recognition-js: its ONNX file with fewer outputs and batches of any size. */
import { type Dimension, portMessage, tensorMessage } from './onnx.ts'
import { innerProduct, principalSubspace } from './principal-subspace.ts'
import { bytesField, concat } from './protobuf.ts'
import { type Field, fieldsOf, textOf } from './protobuf-fields.ts'

/** Length of an embedding: of the 512 outputs, the singular values fall off near 150. docs/packs.md has what fewer cost. */
const DIMENSION = 160

const SOURCE_DIMENSION = 512
const INPUT_SIZE = 112

/** Names in the source: the last convolution's filters (512 x 512 x 1 x 1) and bias, and the shape that it is brought to. */
const FILTERS = '666'
const BIAS = '667'
const SHAPE = '703'

/** Field numbers of onnx.proto. */
const MODEL = { graph: 7 } as const
const GRAPH = { initializer: 5, input: 11, output: 12 } as const
const TENSOR = { name: 8, bytes: 9 } as const

/**
 * N x 3 x 112 x 112 normalised pixels of aligned faces -> N x `dimension` embeddings, not of unit length. The last convolution is
 * multiplied by an orthonormal projection onto the directions in which its own weights spread most, which needs no data.
 * Throws when the source is another file.
 */
export function mobileFaceNetModel(source: Uint8Array, dimension = DIMENSION): Uint8Array {
  const model = fieldsOf(source)
  const graph = fieldsOf(model.find(({ number }) => number === MODEL.graph)?.bytes ?? new Uint8Array())
  const [filters, bias] = [floatsOf(graph, FILTERS), floatsOf(graph, BIAS)]
  if (filters.length !== SOURCE_DIMENSION ** 2 || bias.length !== SOURCE_DIMENSION)
    throw new Error('the last convolution of the embedder has another shape')
  const basis = principalSubspace(filters, SOURCE_DIMENSION, dimension)
  const replaced = new Map([
    [FILTERS, tensorMessage(FILTERS, projected(filters, basis), [dimension, SOURCE_DIMENSION, 1, 1])],
    [BIAS, tensorMessage(BIAS, projected(bias, basis), [dimension])],
    [SHAPE, tensorMessage(SHAPE, BigInt64Array.of(-1n, BigInt(dimension)), [2])],
  ])
  const written = graph.map(field => {
    if (field.number === GRAPH.input) return port(field, [INPUT_SIZE, INPUT_SIZE], 3)
    if (field.number === GRAPH.output) return port(field, [], dimension)
    const tensor = field.number === GRAPH.initializer && replaced.get(nameOf(field))
    return tensor ? bytesField(GRAPH.initializer, tensor) : field.whole
  })
  return concat(
    model.map(field =>
      field.number === MODEL.graph ? bytesField(MODEL.graph, concat(written)) : field.whole,
    ),
  )
}

/** The same input or output with a first dimension of any size. */
const port = ({ number, bytes }: Field, sides: readonly Dimension[], channels: number): Uint8Array =>
  bytesField(number, portMessage(textOf(fieldsOf(bytes)[0]!), ['N', channels, ...sides]))

/** Each basis vector times the matrix of as many rows, or times the vector: row after row. */
function projected(matrix: Float64Array, basis: readonly Float64Array[]): Float32Array {
  const count = matrix.length / SOURCE_DIMENSION
  const columns = Array.from({ length: count }, (_, column) =>
    Float64Array.from({ length: SOURCE_DIMENSION }, (_, row) => matrix[row * count + column]!),
  )
  return Float32Array.from(basis.flatMap(vector => columns.map(column => innerProduct(vector, column))))
}

const nameOf = ({ bytes }: Field): string => {
  const name = fieldsOf(bytes).find(({ number }) => number === TENSOR.name)
  return name ? textOf(name) : ''
}

/** The numbers of a constant of the graph, which are stored as raw little-endian bytes. */
function floatsOf(graph: readonly Field[], name: string): Float64Array {
  const tensor = graph.find(field => field.number === GRAPH.initializer && nameOf(field) === name)
  const raw = tensor && fieldsOf(tensor.bytes).find(({ number }) => number === TENSOR.bytes)
  if (!raw) throw new Error(`the embedder has no constant ${name}`)
  return Float64Array.from(new Float32Array(raw.bytes.slice().buffer))
}
