/** Converts P-Net, R-Net and O-Net of MTCNN, TensorFlow Lite models that take pictures with x as the first axis. */
import { tensor } from '../../../models/convert/onnx/layers.ts'
import { asMaximum, type Constant, type Network, networkFile } from '../../../models/convert/onnx/network.ts'
import type { Graph, Ports } from '../../../models/convert/onnx/onnx.ts'
import { readLiteModel } from '../../../models/convert/tflite/model.ts'
import { networkOf } from '../../../models/convert/tflite/network.ts'

/** N x 3 x H x W pixels in -1..1 -> for cells of 12 pixels each 2 pixels, log odds of a face and 4 box values. */
export const proposalModel = (source: Uint8Array): Uint8Array =>
  mtcnnModel('pnet', source, ['N', 3, 'H', 'W'], {
    scores: ['N', 1, 'rows', 'columns'],
    boxes: ['N', 4, 'rows', 'columns'],
  })

/** N x 3 x 24 x 24 pixels in -1..1 -> log odds of a face and 4 box values. */
export const refinementModel = (source: Uint8Array): Uint8Array =>
  mtcnnModel('rnet', source, ['N', 3, 24, 24], { scores: ['N', 1, 1, 1], boxes: ['N', 4, 1, 1] })

/** N x 3 x 48 x 48 pixels in -1..1 -> log odds of a face, 4 box values, x of five points and y of five points. */
export const outputModel = (source: Uint8Array): Uint8Array =>
  mtcnnModel('onet', source, ['N', 3, 48, 48], {
    scores: ['N', 1, 1, 1],
    boxes: ['N', 4, 1, 1],
    points: ['N', 10, 1, 1],
  })

function mtcnnModel(name: string, source: Uint8Array, input: Ports[string], outputs: Ports): Uint8Array {
  const network = networkOf(readLiteModel(source), Object.keys(outputs))
  const changed = withMaxima(withLogOdds(withRowsFirst(network)))
  return networkFile(name, changed, { input }, outputs, compactTensor)
}

/** Layers with fewer weights than this keep 16 bits: all but the fully connected ones of R-Net and O-Net. */
const LEAST_QUANTIZED = 50_000

/**
 * Adds a constant with 16 bits, or the weights of a fully connected layer with 8 bits: the greatest absolute weight of
 * an output channel is 127 steps. Convolutions with 8 bits would triple the mean error of scores.
 */
function compactTensor(graph: Graph, { dims, values }: Constant) {
  if (values.length < LEAST_QUANTIZED)
    return tensor(graph, { shape: dims, data: values.map(value => Math.f16round(value)) })
  const length = values.length / dims[0]!
  const steps = Float32Array.from({ length: dims[0]! }, (_, output) =>
    values
      .subarray(output * length, (output + 1) * length)
      .reduce((step, value) => Math.max(step, Math.abs(value) / 127), 0),
  )
  const data = Uint8Array.from(values, (value, i) => Math.round(value / steps[Math.floor(i / length)]!) + 128)
  return tensor(graph, { shape: dims, data, quantization: { scale: 1, min: -128 } }, steps)
}

/** The same network for pictures with rows as the first axis. All windows of the source are square. */
const withRowsFirst = ({ nodes, constants }: Network): Network => ({
  nodes,
  constants: new Map([...constants].map(([name, constant]) => [name, withSwappedAxes(constant)])),
})

function withSwappedAxes({ dims, values }: Constant): Constant {
  const [columns = 1, rows = 1] = dims.slice(2)
  const area = rows * columns
  const swapped = (at: number) => at - (at % area) + (at % columns) * rows + Math.floor((at % area) / columns)
  return { dims, values: dims.length === 4 ? values.map((_, at) => values[swapped(at)]!) : values }
}

/** Replaces the softmax over background and face by the difference of both, the log odds of a face. */
function withLogOdds({ nodes, constants }: Network): Network {
  const softmax = nodes.find(({ operator }) => operator === 'Softmax')!
  const layer = nodes.find(({ output }) => output === softmax.inputs[0])!
  const changed = new Map(constants)
  for (const name of layer.inputs.slice(1)) {
    const { dims, values } = constants.get(name)!
    const half = values.length / 2
    changed.set(name, {
      dims: [1, ...dims.slice(1)],
      values: Float32Array.from({ length: half }, (_, i) => values[half + i]! - values[i]!),
    })
  }
  return {
    nodes: nodes.flatMap(node => {
      if (node === softmax) return []
      return node === layer ? [{ ...layer, output: softmax.output }] : [node]
    }),
    constants: changed,
  }
}

/**
 * Replaces each PRelu by max(x, slope * x), for which ONNX Runtime has vector code. A channel with a slope s above 1
 * becomes two, x and relu(x): s * x + (1 - s) * relu(x) in the next convolution is its PRelu, also behind a pooling.
 */
function withMaxima({ nodes, constants }: Network): Network {
  const changed = new Map(constants)
  const replaced = nodes.flatMap(node => {
    if (node.operator !== 'PRelu') return [node]
    const [input = '', slopes = ''] = node.inputs
    const before = nodes.find(({ output }) => output === input)!
    const { values } = constants.get(slopes)!
    const steep = [...values.keys()].filter(channel => values[channel]! > 1)
    for (const name of before.inputs.slice(1)) changed.set(name, withRows(changed.get(name)!, steep))
    for (const { inputs } of convolutionsAfter(nodes, node.output))
      changed.set(inputs[1]!, withColumns(changed.get(inputs[1]!)!, steep, values))
    const bounded = [...values.map(slope => Math.min(1, slope)), ...steep.map(() => 0)]
    changed.set(slopes, { dims: [bounded.length, 1, 1], values: Float32Array.from(bounded) })
    return asMaximum(node)
  })
  return { nodes: replaced, constants: changed }
}

/** The convolutions that use a value, directly or after a pooling. */
const convolutionsAfter = (nodes: Network['nodes'], value: string): Network['nodes'] =>
  nodes
    .filter(({ inputs }) => inputs.includes(value))
    .flatMap(node => (node.operator === 'MaxPool' ? convolutionsAfter(nodes, node.output) : [node]))

/** Appends copies of these output channels. */
function withRows({ dims, values }: Constant, channels: readonly number[]): Constant {
  const length = values.length / dims[0]!
  const rows = channels.flatMap(channel => [...values.subarray(channel * length, (channel + 1) * length)])
  return {
    dims: [dims[0]! + channels.length, ...dims.slice(1)],
    values: Float32Array.from([...values, ...rows]),
  }
}

/** Multiplies the filters of these input channels by their slopes, and appends their filters times 1 - slope. */
function withColumns(
  { dims, values }: Constant,
  channels: readonly number[],
  slopes: Float32Array,
): Constant {
  const [outputs = 0, inputs = 0, ...window] = dims
  const area = values.length / (outputs * inputs)
  const filter = (at: number, scale: number) =>
    values.slice(at * area, (at + 1) * area).map(one => one * scale)
  const filters = Array.from({ length: outputs }, (_, output) => [
    ...Array.from({ length: inputs }, (_, input) =>
      filter(output * inputs + input, channels.includes(input) ? slopes[input]! : 1),
    ),
    ...channels.map(channel => filter(output * inputs + channel, 1 - slopes[channel]!)),
  ])
  return {
    dims: [outputs, inputs + channels.length, ...window],
    values: Float32Array.from(filters.flat().flatMap(one => [...one])),
  }
}
