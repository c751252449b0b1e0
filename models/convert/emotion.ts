/** The emotion network that human ships (a mini Xception): a TensorFlow.js graph, turned node by node into ONNX. */
import { convolution, VALID } from './onnx/layers.ts'
import { type Graph, newGraph } from './onnx/onnx.ts'
import { follow, type GraphFile, type Rules } from './onnx/tfjs-graph.ts'
import type { Weights } from './onnx/weights.ts'

const INPUT_SIZE = 64
const EMOTIONS = 7

/** How human makes grey of red, green and blue. Source: src/tfjs/constants.ts of human. */
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
 * source takes grey pictures; ours begins by making them so.
 */
export function emotionModel(file: GraphFile, weights: Weights): Uint8Array {
  const graph = newGraph('emotion')
  follow(graph, file, weights, RULES)
  return graph.file({ input: ['N', 3, INPUT_SIZE, INPUT_SIZE] }, { emotions: ['N', EMOTIONS] })
}

/**
 * human weighs colours in 0..1 and then spreads the sum to -1..1. Ours are spread before; as the shares do not quite
 * add up to 1, what they lack is taken off.
 */
function greyOf(graph: Graph, rgb: string): string {
  const total = GREY_SHARES.reduce((sum, share) => sum + share)
  const filters = { shape: [1, 1, 3, 1], data: GREY_SHARES }
  return convolution(graph, rgb, { filters, bias: Float32Array.of(total - 1), stride: 1, padding: VALID })
}
