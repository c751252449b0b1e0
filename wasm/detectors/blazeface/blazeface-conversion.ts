/** Converts BlazeFace (back camera, 256) from human's TensorFlow.js graph to ONNX, node by node. */
import { padTensor } from '../../../models/convert/onnx/layers.ts'
import { type Graph, newGraph } from '../../../models/convert/onnx/onnx.ts'
import { convertGraph, type GraphFile, type Rules } from '../../../models/convert/onnx/tfjs-graph.ts'
import { values, type Weights } from '../../../models/convert/onnx/weights.ts'

/** Output names of the source -> ours: two anchor grids, each with scores and boxes. */
const OUTPUTS: Readonly<Record<string, string>> = {
  Identity: 'fine_scores',
  Identity_1: 'coarse_scores',
  Identity_2: 'fine_boxes',
  Identity_3: 'coarse_boxes',
}

/** Values per anchor: the score, or the box and six points. */
const VALUES = { scores: 1, boxes: 16 } as const
const valuesOf = (output: string): number => (output.endsWith('scores') ? VALUES.scores : VALUES.boxes)

const RULES: Rules = {
  Placeholder: () => 'input',
  Pad: ({ graph, node, inputs, weights }) =>
    padTensor(graph, inputs[0]!, paddingBehind(values(weights(node.input[1]!)))),
  Reshape: ({ inputs }) => inputs[0]!,
  Identity: ({ graph, node, inputs }) => anchorList(graph, inputs[0]!, OUTPUTS[node.name]!),
}

/**
 * N x 3 x H x W pixels in -1..1 -> for the fine (stride 16) and the coarse (stride 32) grid, N x anchors x 1 scores
 * before the sigmoid and N x anchors x 16 values of boxes and points in pixels. H and W: multiples of 32.
 */
export function blazefaceModel(file: GraphFile, weights: Weights): Uint8Array {
  const graph = newGraph('blazeface')
  convertGraph(graph, file, weights, RULES)
  const outputs = Object.values(OUTPUTS)
  const ports = outputs.map(output => [output, ['N', `anchors_${output}`, valuesOf(output)]] as const)
  return graph.file({ input: ['N', 3, 'H', 'W'] }, Object.fromEntries(ports))
}

/** [axis][before, after], channels last -> zeros after each axis, channels first. The graph pads nothing before. */
const paddingBehind = (pairs: Float32Array): [number, number, number, number] => {
  const [n, h, w, c] = [pairs[1]!, pairs[3]!, pairs[5]!, pairs[7]!]
  return [n, c, h, w]
}

/** The source reshapes to a fixed number of anchors. An open number allows inputs of any size. */
function anchorList(graph: Graph, grid: string, output: string) {
  const channelsLast = graph.node('Transpose', [grid], { perm: [0, 2, 3, 1] })
  const shape = graph.constant(BigInt64Array.of(0n, -1n, BigInt(valuesOf(output))), [3])
  return graph.node('Reshape', [channelsLast, shape], {}, output)
}
