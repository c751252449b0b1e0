/** Removes channels without effect from a trained network. */
import type { Constant, Network, NetworkNode } from './onnx/network.ts'

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
export function withoutDeadChannels({ nodes, constants }: Network): Network {
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
const wholeBlocks = (channels: number): number => Math.ceil(channels / BLOCK) * BLOCK
