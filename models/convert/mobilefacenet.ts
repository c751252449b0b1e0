/**
 * Converts the MobileFaceNet of faceplugin-face-recognition-js: removes dead channels, reduces outputs, and opens the
 * batch size.
 */
import { withoutDeadChannels } from './dead-channels.ts'
import { type Constant, type Network, type NetworkNode, networkFile, readNetwork } from './onnx/network.ts'
import { innerProduct, principalSubspace } from './principal-subspace.ts'

/**
 * Length of an embedding. The singular values of the 512 outputs fall off near 150. docs/decisions/0015-packs.md has the cost of
 * fewer dimensions.
 */
const DIMENSION = 160

const SOURCE_DIMENSION = 512
const INPUT_SIZE = 112

/**
 * N x 3 x 112 x 112 normalised pixels of aligned faces -> N x `dimension` embeddings, not of unit length. The last
 * convolution is multiplied by an orthonormal projection onto the principal directions of its own weights, which
 * needs no data. Throws when the source is another file.
 */
export function mobileFaceNetModel(source: Uint8Array, dimension = DIMENSION): Uint8Array {
  const { nodes, constants } = withoutDeadChannels(readNetwork(source))
  const [last, reshape] = nodes.slice(-2)
  if (last?.operator !== 'Conv' || reshape?.operator !== 'Reshape')
    throw new Error('the embedder does not end with a convolution')
  const [, filters = '', bias = ''] = last.inputs
  const projection = projectionOf(constants.get(filters), dimension)
  const projected = new Map([
    ...constants,
    [filters, { dims: [dimension, SOURCE_DIMENSION, 1, 1], values: projection(constants.get(filters)!) }],
    [bias, { dims: [dimension], values: projection(constants.get(bias)!) }],
  ])
  const flat = newNode('Flatten', [last.output], 'output')
  return networkFile(
    'mobilefacenet',
    {
      nodes: [...nodes.slice(0, -1), flat].flatMap(node => withoutPRelu(node, constants)),
      constants: projected,
    },
    { input: ['N', 3, INPUT_SIZE, INPUT_SIZE] },
    { output: ['N', dimension] },
  )
}

/** Multiplies the filters, or their bias, by the projection onto the filters' principal directions. */
function projectionOf(filters: Constant | undefined, dimension: number): (of: Constant) => Float32Array {
  if (filters?.values.length !== SOURCE_DIMENSION ** 2)
    throw new Error('the last convolution of the embedder has another shape')
  const basis = principalSubspace(Float64Array.from(filters.values), SOURCE_DIMENSION, dimension)
  return ({ values }) => {
    const columns = values.length / SOURCE_DIMENSION
    const column = (at: number) =>
      Float64Array.from({ length: SOURCE_DIMENSION }, (_, row) => values[row * columns + at]!)
    const all = Array.from({ length: columns }, (_, at) => column(at))
    return Float32Array.from(basis.flatMap(vector => all.map(one => innerProduct(vector, one))))
  }
}

/**
 * Replaces PRelu by operators for which ONNX Runtime has vector code, with equal results: max(x, slope * x) when no
 * slope exceeds 1, otherwise relu(x) + slope * (x - relu(x)).
 */
function withoutPRelu(node: NetworkNode, constants: Network['constants']): NetworkNode[] {
  const { operator, inputs, output } = node
  if (operator !== 'PRelu') return [node]
  const [input = '', slopes = ''] = inputs
  const scaled = `${output} scaled`
  if (constants.get(slopes)!.values.every(slope => slope <= 1))
    return [newNode('Mul', [input, slopes], scaled), newNode('Max', [input, scaled], output)]
  const [positive, negative] = [`${output} positive`, `${output} negative`]
  return [
    newNode('Relu', [input], positive),
    newNode('Sub', [input, positive], negative),
    newNode('Mul', [negative, slopes], scaled),
    newNode('Add', [positive, scaled], output),
  ]
}

const newNode = (operator: string, inputs: string[], output: string): NetworkNode => ({
  operator,
  inputs,
  output,
  attributes: {},
})
