/**
 * face-api's age and gender network, a small Xception. The source has weights without a graph; this file writes the
 * graph.
 */
import { fullConvolution, fullyConnected, separableConvolution } from './face-api.ts'
import { relu, SAME, sum } from './onnx/layers.ts'
import { type Graph, newGraph } from './onnx/onnx.ts'
import type { Weights } from './onnx/weights.ts'

const INPUT_SIZE = 112

/** N x 3 x 112 x 112 normalised pixels -> N x 1 age in years, and N x 2 probabilities: male, female. */
export function ageGenderModel(weights: Weights): Uint8Array {
  const graph = newGraph('age_gender')
  let features = relu(graph, fullConvolution(graph, weights, 'input', 'entry_flow/conv_in', 2))
  features = halvingBlock(graph, weights, features, 'entry_flow/reduction_block_0', features)
  features = halvingBlock(graph, weights, features, 'entry_flow/reduction_block_1', relu(graph, features))
  for (const name of ['middle_flow/main_block_0', 'middle_flow/main_block_1']) {
    features = residualBlock(graph, weights, features, name)
  }
  features = halvingBlock(graph, weights, features, 'exit_flow/reduction_block', relu(graph, features))
  features = relu(graph, separableConvolution(graph, weights, features, 'exit_flow/separable_conv', 1))

  const pooled = graph.node('GlobalAveragePool', [features])
  const flat = graph.node('Flatten', [pooled], { axis: 1 })
  const age = fullyConnected(graph, weights, flat, 'fc/age', 'age')
  const logits = fullyConnected(graph, weights, flat, 'fc/gender')
  const gender = graph.node('Softmax', [logits], { axis: 1 }, 'gender')
  return graph.file({ input: ['N', 3, INPUT_SIZE, INPUT_SIZE] }, { [age]: ['N', 1], [gender]: ['N', 2] })
}

/** Two layers on `activated` and a pooling that halves the picture, in parallel with a plain convolution of `input`. */
function halvingBlock(
  graph: Graph,
  weights: Weights,
  input: string,
  name: string,
  activated: string,
): string {
  const first = separableConvolution(graph, weights, activated, `${name}/separable_conv0`, 1)
  const second = separableConvolution(graph, weights, relu(graph, first), `${name}/separable_conv1`, 1)
  const pooled = graph.node('MaxPool', [second], { kernel_shape: [3, 3], strides: [2, 2], ...SAME })
  return sum(graph, pooled, fullConvolution(graph, weights, input, `${name}/expansion_conv`, 2))
}

/** Three layers, added to their input. */
function residualBlock(graph: Graph, weights: Weights, input: string, name: string): string {
  let features = input
  for (const layer of ['separable_conv0', 'separable_conv1', 'separable_conv2']) {
    features = separableConvolution(graph, weights, relu(graph, features), `${name}/${layer}`, 1)
  }
  return sum(graph, features, input)
}
