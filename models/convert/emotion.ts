/** Converts human's emotion network (a mini Xception) from its TensorFlow.js graph to ONNX, node by node. */
import { convolution, UNPADDED } from './onnx/layers.ts'
import { type Graph, newGraph } from './onnx/onnx.ts'
import { convertGraph, type GraphFile, type Rules } from './onnx/tfjs-graph.ts'
import type { Weights } from './onnx/weights.ts'

const INPUT_SIZE = 64
const EMOTIONS = 7

/** human's weights of red, green and blue for grey. Source: src/tfjs/constants.ts of human. */
const GREY_SHARES = Float32Array.of(0.2989, 0.587, 0.114)

const RULES: Rules = {
  Placeholder: ({ graph }) => greyOf(graph, 'input'),
  Mean: ({ graph, inputs }) =>
    graph.node('Flatten', [graph.node('GlobalAveragePool', [inputs[0]!])], { axis: 1 }),
  Softmax: ({ graph, inputs }) => graph.node('Softmax', [inputs[0]!], { axis: 1 }, 'emotions'),
  Identity: ({ inputs }) => inputs[0]!,
}

/**
 * N x 3 x 64 x 64 pixels in -1..1 -> N x 7 probabilities: angry, disgust, fear, happy, sad, surprise, neutral. The
 * source takes grey pictures; the converted network first converts colours to grey.
 */
export function emotionModel(file: GraphFile, weights: Weights): Uint8Array {
  const graph = newGraph('emotion')
  convertGraph(graph, file, weights, RULES)
  return graph.file({ input: ['N', 3, INPUT_SIZE, INPUT_SIZE] }, { emotions: ['N', EMOTIONS] })
}

/**
 * human weights colours in 0..1 and then scales the sum to -1..1. Here the input is scaled before. The weights do not
 * quite add up to 1; the bias subtracts the difference.
 */
function greyOf(graph: Graph, rgb: string) {
  const total = GREY_SHARES.reduce((sum, share) => sum + share)
  const filters = { shape: [1, 1, 3, 1], data: GREY_SHARES }
  return convolution(graph, rgb, { filters, bias: Float32Array.of(total - 1), stride: 1, padding: UNPADDED })
}
