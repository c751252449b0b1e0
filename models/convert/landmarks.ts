/** face-api's 68-point landmark network. The source has weights without a graph; this file writes the graph. */
import { fullConvolution, fullyConnected, type Layer, separableConvolution } from './face-api.ts'
import { relu, sum } from './onnx/layers.ts'
import { type Graph, newGraph } from './onnx/onnx.ts'
import type { Weights } from './onnx/weights.ts'

const INPUT_SIZE = 112
const POINTS = 68

/** N x 3 x 112 x 112 normalised pixels -> N x 136: x and y of each point, as fractions of the crop. */
export function landmarksModel(weights: Weights): Uint8Array {
  const graph = newGraph('landmarks68')
  let features = denseBlock(graph, weights, 'input', 'dense0', fullConvolution)
  for (const block of ['dense1', 'dense2', 'dense3']) {
    features = denseBlock(graph, weights, features, block, separableConvolution)
  }
  const pooled = graph.node('AveragePool', [features], { kernel_shape: [7, 7], strides: [2, 2] })
  const flat = graph.node('Flatten', [pooled], { axis: 1 })
  const points = fullyConnected(graph, weights, flat, 'fc', 'points')
  return graph.file({ input: ['N', 3, INPUT_SIZE, INPUT_SIZE] }, { [points]: ['N', 2 * POINTS] })
}

/** Four layers; each takes the sum of the outputs of all layers before it. The first layer halves the picture. */
function denseBlock(graph: Graph, weights: Weights, input: string, name: string, first: Layer): string {
  const a = relu(graph, first(graph, weights, input, `${name}/conv0`, 2))
  const b = separableConvolution(graph, weights, a, `${name}/conv1`, 1)
  const c = separableConvolution(graph, weights, relu(graph, sum(graph, a, b)), `${name}/conv2`, 1)
  const d = separableConvolution(graph, weights, relu(graph, sum(graph, a, b, c)), `${name}/conv3`, 1)
  return relu(graph, sum(graph, a, b, c, d))
}
