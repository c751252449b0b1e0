/**
 * face-api's SSD MobileNet v1. The source has weights without a graph; this file writes the graph for inputs of any
 * size.
 */
import { clipped, convolution, depthwise, SAME } from '../../../models/convert/onnx/layers.ts'
import { type Graph, newGraph } from '../../../models/convert/onnx/onnx.ts'
import { values, type Weights } from '../../../models/convert/onnx/weights.ts'

/** Epsilon of batch normalisation: that of MobileNet v1 in TensorFlow's slim library. */
const EPSILON = 0.001

/**
 * Number of pairs of a depthwise and a pointwise convolution that are kept, and the pairs that halve the picture. The
 * source has more pairs and five more anchor grids after them, for faces larger than 150 pixels. The overview finds
 * these better.
 */
const PAIRS = 11
const HALVING = [2, 4, 6]

/** Upper bound of the activation (ReLU6). */
const MOST = 6

/** Outputs per anchor: offset and scale of the box; scores of background, face and an unused class. */
const PREDICTIONS = {
  boxes: { layer: 'BoxEncodingPredictor', values: 4 },
  scores: { layer: 'ClassPredictor', values: 3 },
} as const

/**
 * N x 3 x H x W pixels in -1..1 -> for cells of 16 pixels with 3 anchors, N x anchors x 4 box values, and N x anchors
 * x 3 scores before the sigmoid. H and W: multiples of 16.
 */
export function ssdModel(weights: Weights): Uint8Array {
  const graph = newGraph('ssd')
  let features = convolutionLayer(graph, weights, 'input', 'MobilenetV1/Conv2d_0_pointwise', 2)
  for (let pair = 1; pair <= PAIRS; pair++) {
    const name = `MobilenetV1/Conv2d_${pair}`
    const spread = depthwiseLayer(
      graph,
      weights,
      features,
      `${name}_depthwise`,
      HALVING.includes(pair) ? 2 : 1,
    )
    features = convolutionLayer(graph, weights, spread, `${name}_pointwise`, 1)
  }
  const ports = Object.entries(PREDICTIONS).map(([output, { layer, values }]) => {
    anchorList(graph, weights, features, layer, values, output)
    return [output, ['N', 'anchors', values]] as const
  })
  return graph.file({ input: ['N', 3, 'H', 'W'] }, Object.fromEntries(ports))
}

/** A convolution of all channels. The source has folded the normalisation into its weights. */
function convolutionLayer(
  graph: Graph,
  weights: Weights,
  input: string,
  name: string,
  stride: number,
): string {
  const filters = weights(`${name}/weights`)
  const bias = weights(`${name}/convolution_bn_offset`)
  return clipped(graph, convolution(graph, input, { filters, bias, stride, padding: SAME }), 0, MOST)
}

/** A depthwise convolution with folded normalisation: (x - m) g / sqrt(v + e) + b = x s + (b - m s). */
function depthwiseLayer(graph: Graph, weights: Weights, input: string, name: string, stride: number): string {
  const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(part =>
    values(weights(`${name}/BatchNorm/${part}`)),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array]
  const scale = gamma.map((value, i) => value / Math.sqrt(variance[i]! + EPSILON))
  const bias = beta.map((value, i) => value - mean[i]! * scale[i]!)
  const filters = weights(`${name}/depthwise_weights`)
  return clipped(graph, depthwise(graph, input, { filters, bias, scale, stride, padding: SAME }), 0, MOST)
}

/** Outputs of one prediction layer per anchor, cell by cell. */
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
