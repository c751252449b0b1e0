/** Layers shared by the networks: from TensorFlow.js weights (channels last) to ONNX nodes (channels first). */
import { type Attribute, ELEMENT, type Graph } from './onnx.ts'
import { transposeWeight, values, type Weight } from './weights.ts'

/** [height, width, in, out] -> [out, in, height, width] */
const FULL_ORDER = [3, 2, 0, 1]

/** [height, width, in, 1] -> [in, 1, height, width] */
const DEPTHWISE_ORDER = [2, 3, 0, 1]

/**
 * Padding of a convolution. TensorFlow's SAME adds the odd pixel at the bottom and right, which ONNX calls
 * SAME_UPPER.
 */
type Padding = { readonly auto_pad: 'SAME_UPPER' | 'VALID' }
export const PADDED: Padding = { auto_pad: 'SAME_UPPER' }
export const UNPADDED: Padding = { auto_pad: 'VALID' }

/** A factor per output channel: batch normalisation folded into the filters. */
type ChannelScale = Float32Array

/**
 * Adds the weight to the graph as a float tensor. Weights with 8 or 16 bits in the source keep them in the file; ONNX
 * Runtime expands them when it loads the model. The numbers equal the source's exactly in a fraction of the bytes. Values with 8
 * bits are multiplied by the `scale` of their output channel (the first axis).
 */
export function tensor(graph: Graph, weight: Weight, scale?: ChannelScale): string {
  const { data, shape, quantization } = weight
  if (!quantization || !(data instanceof Uint8Array)) return floatTensor(graph, values(weight), shape)
  const perChannel = scale ? [scale.length, ...shape.slice(1).map(() => 1)] : []
  const factors = scale ?? Float32Array.of(1)
  const steps = graph.constant(
    Float32Array.from(factors, factor => factor * quantization.scale),
    perChannel,
  )
  const offsets = graph.constant(
    Float32Array.from(factors, factor => factor * quantization.min),
    perChannel,
  )
  const asFloat = graph.node('Cast', [graph.constant(data, shape)], { to: ELEMENT.float })
  return graph.node('Add', [graph.node('Mul', [asFloat, steps]), offsets])
}

function floatTensor(graph: Graph, data: Float32Array, shape: readonly number[]) {
  const halves = Float16Array.from(data)
  if (halves.some((half, i) => half !== data[i])) return graph.constant(data, shape)
  const bytes = new Uint8Array(halves.buffer)
  return graph.node('Cast', [graph.constant(bytes, shape, ELEMENT.half)], { to: ELEMENT.float })
}

interface Convolution {
  filters: Weight
  /** One value per output channel, or none. */
  bias?: Weight | Float32Array
  stride: number
  padding: Padding
}

/** A full convolution of `input`. */
export const convolution = (graph: Graph, input: string, layer: Convolution): string =>
  convolve(graph, input, layer, transposeWeight(layer.filters, FULL_ORDER), {})

/** A depthwise convolution. */
export const depthwise = (graph: Graph, input: string, layer: Convolution): string =>
  convolve(graph, input, layer, transposeWeight(layer.filters, DEPTHWISE_ORDER), {
    group: layer.filters.shape[2]!,
  })

function convolve(
  graph: Graph,
  input: string,
  { bias, stride, padding }: Convolution,
  filters: Weight,
  group: Record<string, Attribute>,
) {
  const inputs = [input, tensor(graph, filters)]
  if (bias) inputs.push(biasTensor(graph, bias))
  const kernel = filters.shape.slice(2)
  return graph.node('Conv', inputs, { kernel_shape: kernel, strides: [stride, stride], ...padding, ...group })
}

const biasTensor = (graph: Graph, bias: Weight | Float32Array) =>
  bias instanceof Float32Array ? graph.constant(bias, [bias.length]) : tensor(graph, bias)

/** The sum of all terms, added in order. */
export const sum = (graph: Graph, ...terms: string[]): string =>
  terms.reduce((total, term) => graph.node('Add', [total, term]))

/** max(0, x) */
export const relu = (graph: Graph, input: string): string => graph.node('Relu', [input])

/** Appends zeros after each axis of an N x C x H x W tensor. */
export function padTensor(
  graph: Graph,
  input: string,
  behind: readonly [n: number, c: number, h: number, w: number],
): string {
  const pads = BigInt64Array.from([0, 0, 0, 0, ...behind], BigInt)
  return graph.node('Pad', [input, graph.constant(pads, [pads.length])])
}
