/**
 * Converts the MobileFaceNet of faceplugin-face-recognition-js: removes dead channels, reduces outputs, and opens the
 * batch size.
 */
import { withFewerOutputs } from './fewer-outputs.ts'
import {
  asMaximum,
  type Constant,
  type Network,
  type NetworkNode,
  networkFile,
  newNode,
  readNetwork,
} from './onnx/network.ts'

/**
 * Length of an embedding. The singular values of the 512 outputs fall off near 150. docs/decisions/0015-packs.md has the cost of
 * fewer dimensions.
 */
const DIMENSION = 160

const INPUT_SIZE = 112

/**
 * N x 3 x 112 x 112 normalised pixels of aligned faces -> N x `dimension` embeddings, not of unit length. Throws when
 * the source is another file.
 */
export function mobileFaceNetModel(source: Uint8Array, dimension = DIMENSION): Uint8Array {
  const { nodes, constants } = withFewerOutputs(withoutDeadChannels(readNetwork(source)), dimension)
  return networkFile(
    'mobilefacenet',
    { nodes: nodes.flatMap(node => withoutPRelu(node, constants)), constants },
    { input: ['N', 3, INPUT_SIZE, INPUT_SIZE] },
    { output: ['N', dimension] },
  )
}

/**
 * Replaces PRelu by operators for which ONNX Runtime has vector code, with equal results: max(x, slope * x) when no
 * slope exceeds 1, otherwise relu(x) + slope * (x - relu(x)).
 */
function withoutPRelu(node: NetworkNode, constants: Network['constants']): NetworkNode[] {
  const { operator, inputs, output } = node
  if (operator !== 'PRelu') return [node]
  const [input = '', slopes = ''] = inputs
  if (constants.get(slopes)!.values.every(slope => slope <= 1)) return asMaximum(node)
  const [positive, negative, scaled] = [`${output} positive`, `${output} negative`, `${output} scaled`]
  return [
    newNode('Relu', [input], positive),
    newNode('Sub', [input, positive], negative),
    newNode('Mul', [negative, slopes], scaled),
    newNode('Add', [positive, scaled], output),
  ]
}

/**
 * Largest absolute weight of a dead channel in the filters of the next convolution. In MobileFaceNet's blocks, dead
 * channels have at most 1.3e-3 and the others at least 0.15.
 */
const GREATEST_DEAD_WEIGHT = 0.01

/** Channels per block in ONNX Runtime's layout for AVX-512. */
const BLOCK = 16

/**
 * The same network without dead channels between two convolutions. It handles sequences of convolution, PRelu,
 * depthwise convolution, PRelu and 1 x 1 convolution. Dead channels cost time, and most of their weights are
 * subnormal numbers, which processors multiply many times more slowly. The remaining channels are padded to whole
 * blocks.
 */
function withoutDeadChannels({ nodes, constants }: Network): Network {
  const kept = new Map(constants)
  const changed = [...nodes]
  for (const [at, depthwise] of nodes.entries()) {
    const chain = chainAround(nodes, at)
    if (!chain) continue
    const [, filters = ''] = chain.next.inputs
    const living = livingInputs(constants.get(filters)!)
    for (const { inputs } of chain.nodes)
      for (const name of inputs.slice(1)) kept.set(name, withRows(kept.get(name)!, living))
    kept.set(filters, withColumns(kept.get(filters)!, living))
    changed[at] = {
      ...depthwise,
      attributes: { ...depthwise.attributes, group: wholeBlocks(living.length) },
    }
  }
  return { nodes: changed, constants: kept }
}

/**
 * The nodes whose channels can be removed, and the convolution after them; undefined unless `at` is the middle of a
 * sequence.
 */
function chainAround(nodes: readonly NetworkNode[], at: number) {
  const chain = nodes.slice(Math.max(0, at - 2), at + 3)
  const isChain =
    chain.map(({ operator }) => operator).join() === 'Conv,PRelu,Conv,PRelu,Conv' &&
    chain.every((node, i) => i === 0 || node.inputs[0] === chain[i - 1]!.output) &&
    Number(chain[2]!.attributes.group) > 1
  return isChain ? { nodes: chain.slice(0, 4), next: chain[4]! } : undefined
}

/** Indices of these filters' inputs that are not dead. */
function livingInputs({ dims: [filters = 0, inputs = 0], values }: Constant): number[] {
  const greatest = new Float64Array(inputs)
  for (let filter = 0; filter < filters; filter++)
    for (let input = 0; input < inputs; input++)
      greatest[input] = Math.max(greatest[input]!, Math.abs(values[filter * inputs + input]!))
  return [...greatest.keys()].filter(input => greatest[input]! > GREATEST_DEAD_WEIGHT)
}

/** These rows (first dimension) of a constant, padded with rows of zeros. */
function withRows({ dims: [rows = 1, ...dims], values }: Constant, living: readonly number[]): Constant {
  const length = values.length / rows
  const count = wholeBlocks(living.length)
  const kept = new Float32Array(count * length)
  for (const [to, row] of living.entries())
    kept.set(values.subarray(row * length, (row + 1) * length), to * length)
  return { dims: [count, ...dims], values: kept }
}

/** These columns of a matrix, padded with columns of zeros. */
function withColumns(
  { dims: [rows = 0, columns = 0, ...dims], values }: Constant,
  living: readonly number[],
) {
  const count = wholeBlocks(living.length)
  const kept = new Float32Array(rows * count)
  for (let row = 0; row < rows; row++)
    for (const [to, column] of living.entries()) kept[row * count + to] = values[row * columns + column]!
  return { dims: [rows, count, ...dims], values: kept }
}

/** Rounds up to whole blocks: the runtime has a slower path for a partial block. */
const wholeBlocks = (channels: number) => Math.ceil(channels / BLOCK) * BLOCK
