/** face-api's SSD MobileNet v1: its weights come without a graph, so it is written out here, open to pictures of other sizes. */
import { clipped, convolution, depthwise, SAME } from './onnx/layers.ts'
import { type Graph, newGraph } from './onnx/onnx.ts'
import { values, type Weights } from './onnx/weights.ts'

/** Of its batch normalisation: the layers of MobileNet v1 in TensorFlow's slim library. */
const EPSILON = 0.001

/**
 * Pairs of a depthwise and a mixing convolution that are taken, and those that halve the picture. The source has more,
 * and five more grids of anchors behind them, for faces larger than 150 pixels: those are seen better at another size.
 */
const PAIRS = 11
const HALVING = [2, 4, 6]

/** The layers activate with a rectifier that stops here. */
const MOST = 6

/** What is said of each anchor: how its box is moved and stretched; and the scores of nothing, a face, and a class not used. */
const SAID = {
  boxes: { layer: 'BoxEncodingPredictor', values: 4 },
  scores: { layer: 'ClassPredictor', values: 3 },
} as const

/**
 * N x 3 x H x W pixels in -1..1 -> for cells of 16 pixels with 3 anchors, N x anchors x 4 box values, and N x anchors x 3
 * scores before the sigmoid. H and W: any multiples of 16.
 */
export function ssdModel(weights: Weights): Uint8Array {
  const graph = newGraph('ssd')
  let features = mixing(graph, weights, 'input', 'MobilenetV1/Conv2d_0_pointwise', 2)
  for (let pair = 1; pair <= PAIRS; pair++) {
    const name = `MobilenetV1/Conv2d_${pair}`
    const spread = eachChannel(graph, weights, features, `${name}_depthwise`, HALVING.includes(pair) ? 2 : 1)
    features = mixing(graph, weights, spread, `${name}_pointwise`, 1)
  }
  const ports = Object.entries(SAID).map(([output, { layer, values }]) => {
    anchorList(graph, weights, features, layer, values, output)
    return [output, ['N', 'anchors', values]] as const
  })
  return graph.file({ input: ['N', 3, 'H', 'W'] }, Object.fromEntries(ports))
}

/** A convolution of all channels; the source has folded its normalisation into it. */
function mixing(graph: Graph, weights: Weights, input: string, name: string, stride: number): string {
  const filters = weights(`${name}/weights`)
  const bias = weights(`${name}/convolution_bn_offset`)
  return clipped(graph, convolution(graph, input, { filters, bias, stride, padding: SAME }), 0, MOST)
}

/** A convolution of each channel by itself, its normalisation folded in: (x - m) g / sqrt(v + e) + b = x s + (b - m s). */
function eachChannel(graph: Graph, weights: Weights, input: string, name: string, stride: number): string {
  const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(part =>
    values(weights(`${name}/BatchNorm/${part}`)),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array]
  const scale = gamma.map((value, i) => value / Math.sqrt(variance[i]! + EPSILON))
  const bias = beta.map((value, i) => value - mean[i]! * scale[i]!)
  const filters = weights(`${name}/depthwise_weights`)
  return clipped(graph, depthwise(graph, input, { filters, bias, scale, stride, padding: SAME }), 0, MOST)
}

/** What one layer says of each anchor, cell by cell. */
function anchorList(
  graph: Graph,
  weights: Weights,
  features: string,
  layer: string,
  perAnchor: number,
  output: string,
): void {
  const name = `Prediction/BoxPredictor_0/${layer}`
  const [filters, bias] = [weights(`${name}/weights`), weights(`${name}/biases`)]
  const grid = convolution(graph, features, { filters, bias, stride: 1, padding: SAME })
  const channelsLast = graph.node('Transpose', [grid], { perm: [0, 2, 3, 1] })
  const shape = graph.constant(BigInt64Array.of(0n, -1n, BigInt(perAnchor)), [3])
  graph.node('Reshape', [channelsLast, shape], {}, output)
}
