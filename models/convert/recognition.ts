/**
 * face-api's recognition network, a smaller version of dlib's ResNet-34. The source has weights without a graph; this
 * file writes the graph.
 */
import { convolution, padded, relu, sum, tensor, VALID } from './onnx/layers.ts'
import { type Graph, newGraph } from './onnx/onnx.ts'
import { values, type Weights } from './onnx/weights.ts'

const INPUT_SIZE = 150
const DIMENSION = 128

/** Padding that keeps the size under a 3 x 3 filter. */
const AROUND = { pads: [1, 1, 1, 1] } as const

/** Output of a layer: the tensor's name, its channels, and the side of its square picture. */
interface Features {
  readonly tensor: string
  readonly channels: number
  readonly side: number
}

/** N x 3 x 150 x 150 normalised pixels of aligned faces -> N x 128 embeddings, not of unit length. */
export function recognitionModel(weights: Weights): Uint8Array {
  const graph = newGraph('recognition')
  let features = stem(graph, weights)
  const residual = (name: string) => {
    features = residualBlock(graph, weights, features, name)
  }
  const halving = (name: string, channels: number) => {
    features = halvingBlock(graph, weights, features, name, channels)
  }
  for (const name of ['conv32_1', 'conv32_2', 'conv32_3']) residual(name)
  halving('conv64_down', 64)
  for (const name of ['conv64_1', 'conv64_2', 'conv64_3']) residual(name)
  halving('conv128_down', 128)
  for (const name of ['conv128_1', 'conv128_2']) residual(name)
  halving('conv256_down', 256)
  for (const name of ['conv256_1', 'conv256_2']) residual(name)
  halving('conv256_down_out', 256)

  const pooled = graph.node('GlobalAveragePool', [features.tensor])
  const flat = graph.node('Flatten', [pooled], { axis: 1 })
  const embedding = graph.node('MatMul', [flat, tensor(graph, weights('fc'))], {}, 'embedding')
  return graph.file({ input: ['N', 3, INPUT_SIZE, INPUT_SIZE] }, { [embedding]: ['N', DIMENSION] })
}

/** A convolution and the affine layer after it, folded into one: (f * x + b) s + t = (f s) * x + (b s + t). */
function scaledConvolution(
  graph: Graph,
  weights: Weights,
  input: string,
  name: string,
  { stride = 1, around = true } = {},
): string {
  const scale = values(weights(`${name}/scale/weights`))
  const shift = values(weights(`${name}/scale/biases`))
  const bias = values(weights(`${name}/conv/bias`)).map((b, channel) => b * scale[channel]! + shift[channel]!)
  const filters = weights(`${name}/conv/filters`)
  return convolution(graph, input, { filters, bias, scale, stride, padding: around ? AROUND : VALID })
}

/** 150 -> 72 by a 7 x 7 convolution, -> 35 by pooling. */
function stem(graph: Graph, weights: Weights): Features {
  const first = scaledConvolution(graph, weights, 'input', 'conv32_down', { stride: 2, around: false })
  const pooled = graph.node('MaxPool', [relu(graph, first)], { kernel_shape: [3, 3], strides: [2, 2] })
  return { tensor: pooled, channels: 32, side: 35 }
}

function residualBlock(graph: Graph, weights: Weights, input: Features, name: string): Features {
  const first = relu(graph, scaledConvolution(graph, weights, input.tensor, `${name}/conv1`))
  const second = scaledConvolution(graph, weights, first, `${name}/conv2`)
  return { ...input, tensor: relu(graph, sum(graph, second, input.tensor)) }
}

/**
 * A residual block that halves the picture. Its two branches may differ by one row and column and in channels; the
 * smaller branch is padded with zeros at the end.
 */
function halvingBlock(
  graph: Graph,
  weights: Weights,
  input: Features,
  name: string,
  channels: number,
): Features {
  const convolvedSide = Math.floor((input.side - 3) / 2) + 1
  const pooledSide = Math.floor(input.side / 2)
  const missing = pooledSide - convolvedSide

  const halved = scaledConvolution(graph, weights, input.tensor, `${name}/conv1`, {
    stride: 2,
    around: false,
  })
  const second = scaledConvolution(graph, weights, relu(graph, halved), `${name}/conv2`)
  const convolved = missing > 0 ? padded(graph, second, [0, 0, missing, missing]) : second

  const small = graph.node('AveragePool', [input.tensor], { kernel_shape: [2, 2], strides: [2, 2] })
  const wide = channels > input.channels ? padded(graph, small, [0, channels - input.channels, 0, 0]) : small
  return { tensor: relu(graph, sum(graph, convolved, wide)), channels, side: pooledSide }
}
