/** face-api's 68-point landmark network: its weights come without a graph, so the graph is written out here. */
import { convolution, depthwise, relu, SAME, sum, tensor, VALID } from './layers.ts'
import { type Graph, newGraph } from './onnx.ts'
import type { Weights } from './weights.ts'

const INPUT_SIZE = 112
const POINTS = 68

/** N x 3 x 112 x 112 normalised pixels -> N x 136: x and y of each point, as fractions of the crop. */
export function landmarksModel(weights: Weights): Uint8Array {
  const graph = newGraph('landmarks68')
  let features = denseBlock(graph, weights, 'input', 'dense0', firstConvolution)
  for (const block of ['dense1', 'dense2', 'dense3']) {
    features = denseBlock(graph, weights, features, block, separableConvolution)
  }
  const pooled = graph.node('AveragePool', [features], { kernel_shape: [7, 7], strides: [2, 2] })
  const flat = graph.node('Flatten', [pooled], { axis: 1 })
  const last = [tensor(graph, weights('fc/weights')), tensor(graph, weights('fc/bias'))]
  const points = graph.node('Gemm', [flat, ...last], {}, 'points')
  return graph.file({ input: ['N', 3, INPUT_SIZE, INPUT_SIZE] }, { [points]: ['N', 2 * POINTS] })
}

type Layer = (graph: Graph, weights: Weights, input: string, name: string, stride: number) => string

/** Four layers, each fed with the sum of what all before it gave; the first halves the picture. */
function denseBlock(graph: Graph, weights: Weights, input: string, name: string, first: Layer): string {
  const a = relu(graph, first(graph, weights, input, `${name}/conv0`, 2))
  const b = separableConvolution(graph, weights, a, `${name}/conv1`, 1)
  const c = separableConvolution(graph, weights, relu(graph, sum(graph, a, b)), `${name}/conv2`, 1)
  const d = separableConvolution(graph, weights, relu(graph, sum(graph, a, b, c)), `${name}/conv3`, 1)
  return relu(graph, sum(graph, a, b, c, d))
}

const firstConvolution: Layer = (graph, weights, input, name, stride) =>
  convolution(graph, input, {
    filters: weights(`${name}/filters`),
    bias: weights(`${name}/bias`),
    stride,
    padding: SAME,
  })

const separableConvolution: Layer = (graph, weights, input, name, stride) => {
  const spread = depthwise(graph, input, {
    filters: weights(`${name}/depthwise_filter`),
    stride,
    padding: SAME,
  })
  return convolution(graph, spread, {
    filters: weights(`${name}/pointwise_filter`),
    bias: weights(`${name}/bias`),
    stride: 1,
    padding: VALID,
  })
}
