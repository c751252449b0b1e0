/** Removes the channels of a network that its training has left without effect. */
import type { Constant, Network, NetworkNode } from './onnx/network.ts'

/**
 * A channel is dead where no filter of the next convolution has a greater weight for it than this. In MobileFaceNet's
 * blocks dead channels have 1.3e-3 at most, and living ones 0.15 at least.
 */
const GREATEST_DEAD_WEIGHT = 0.01

/** Channels of one block of ONNX Runtime's layout for AVX-512. */
const BLOCK = 16

/**
 * The same network without dead channels between two convolutions: wherever a convolution, PRelu, a depthwise convolution,
 * PRelu and a convolution of 1 x 1 follow each other. Dead channels cost time, and most of their weights are subnormal
 * numbers, with which a processor multiplies many times more slowly. Living channels are filled up to whole blocks.
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

/** The nodes whose channels can be removed, and the convolution that takes them; undefined where `at` is not in their middle. */
function chainAround(nodes: readonly NetworkNode[], at: number) {
  const chain = nodes.slice(Math.max(0, at - 2), at + 3)
  const isChain =
    chain.map(({ operator }) => operator).join() === 'Conv,PRelu,Conv,PRelu,Conv' &&
    chain.every((node, i) => i === 0 || node.inputs[0] === chain[i - 1]!.output) &&
    Number(chain[2]!.attributes.group) > 1
  return isChain ? { nodes: chain.slice(0, 4), next: chain[4]! } : undefined
}

/** The inputs of these filters that are not dead. */
function livingInputs({ dims: [filters = 0, inputs = 0], values }: Constant): number[] {
  const greatest = new Float64Array(inputs)
  for (let filter = 0; filter < filters; filter++)
    for (let input = 0; input < inputs; input++)
      greatest[input] = Math.max(greatest[input]!, Math.abs(values[filter * inputs + input]!))
  return [...greatest.keys()].filter(input => greatest[input]! > GREATEST_DEAD_WEIGHT)
}

/** These rows of a constant, which are its first dimension, and rows of zeros. */
function withRows({ dims: [rows = 1, ...dims], values }: Constant, living: readonly number[]): Constant {
  const length = values.length / rows
  const count = wholeBlocks(living.length)
  const kept = new Float32Array(count * length)
  for (const [to, row] of living.entries())
    kept.set(values.subarray(row * length, (row + 1) * length), to * length)
  return { dims: [count, ...dims], values: kept }
}

/** These columns of a matrix, and columns of zeros. */
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

/** A number of channels that the runtime takes without a slower path for the rest of a block. */
const wholeBlocks = (channels: number): number => Math.ceil(channels / BLOCK) * BLOCK
