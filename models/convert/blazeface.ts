/** BlazeFace (back camera, 256) as human ships it: a TensorFlow.js graph, turned node by node into ONNX. */
import * as z from 'zod'
import { convolution, depthwise, padded, relu, SAME, sum, VALID } from './layers.ts'
import { type Graph, newGraph } from './onnx.ts'
import { values, type Weights, WeightsManifestSchema } from './weights.ts'

const base64 = z.object({ s: z.base64() }).transform(({ s }) => atob(s))
const integers = z
  .object({ list: z.object({ i: z.array(z.coerce.number()) }) })
  .transform(({ list }) => list.i)

const NodeSchema = z.object({
  name: z.string(),
  op: z.string(),
  input: z.array(z.string()).default([]),
  attr: z
    .object({
      padding: base64.optional(),
      strides: integers.optional(),
      ksize: integers.optional(),
      fused_ops: z
        .object({ list: z.object({ s: z.array(z.base64()).default([]) }) })
        .transform(({ list }) => list.s.map(atob))
        .optional(),
    })
    .default({}),
})
type Node = z.infer<typeof NodeSchema>

/** The JSON file of a TensorFlow.js graph model, as far as we read it. */
export const GraphFileSchema = z.object({
  modelTopology: z.object({ node: z.array(NodeSchema) }),
  weightsManifest: WeightsManifestSchema,
})
export type GraphFile = z.infer<typeof GraphFileSchema>

/** The source's names of its outputs -> ours: two grids of anchors, each with scores and boxes. */
const OUTPUTS: Readonly<Record<string, string>> = {
  Identity: 'fine_scores',
  Identity_1: 'coarse_scores',
  Identity_2: 'fine_boxes',
  Identity_3: 'coarse_boxes',
}

/** Values of one anchor: its score alone, or its box and six points. */
const VALUES = { scores: 1, boxes: 16 } as const
const valuesOf = (output: string): number => (output.endsWith('scores') ? VALUES.scores : VALUES.boxes)

/**
 * N x 3 x H x W pixels in -1..1 -> for the fine (stride 16) and the coarse (stride 32) grid, N x anchors x 1 scores
 * before the sigmoid and N x anchors x 16 boxes and points in pixels. H and W: any multiples of 32.
 */
export function blazefaceModel(file: GraphFile, weights: Weights): Uint8Array {
  const graph = newGraph('blazeface')
  const produced = new Map<string, string>()
  for (const node of file.modelTopology.node) {
    // Constants are read where they are used; they have no place in the order of nodes.
    if (node.op === 'Const') continue
    produced.set(
      node.name,
      convert(graph, node, weights, name => produced.get(name) ?? name),
    )
  }
  const outputs = Object.values(OUTPUTS)
  const ports = outputs.map(output => [output, ['N', `anchors_${output}`, valuesOf(output)]] as const)
  return graph.file({ input: ['N', 3, 'H', 'W'] }, Object.fromEntries(ports))
}

/** Adds the node to the graph; returns the name of what it produces. `tensorOf` finds what an earlier node produced. */
function convert(graph: Graph, node: Node, weights: Weights, tensorOf: (name: string) => string): string {
  const inputs = node.input.map(tensorOf)
  const first = inputs[0] ?? ''
  switch (node.op) {
    case 'Placeholder':
      return 'input'
    case '_FusedConv2D': {
      const convolved = convolution(graph, first, convolutionOf(node, weights))
      return node.attr.fused_ops?.includes('Relu') ? relu(graph, convolved) : convolved
    }
    case 'DepthwiseConv2dNative':
      return depthwise(graph, first, convolutionOf(node, weights))
    case 'AddV2':
      return sum(graph, ...inputs)
    case 'Relu':
      return relu(graph, first)
    case 'MaxPool':
      return graph.node('MaxPool', [first], {
        kernel_shape: node.attr.ksize!.slice(1, 3),
        strides: node.attr.strides!.slice(1, 3),
        ...paddingOf(node),
      })
    case 'Pad':
      return padded(graph, first, paddingBehind(values(weights(node.input[1]!))))
    case 'Reshape':
      return first
    case 'Identity':
      return anchorList(graph, first, OUTPUTS[node.name]!)
    default:
      throw new Error(`no rule turns the operator ${node.op} into ONNX`)
  }
}

const paddingOf = (node: Node) => (node.attr.padding === 'SAME' ? SAME : VALID)

const convolutionOf = (node: Node, weights: Weights) => {
  const [, filters, bias] = node.input
  return {
    filters: weights(filters!),
    ...(bias === undefined ? {} : { bias: weights(bias) }),
    stride: node.attr.strides![1]!,
    padding: paddingOf(node),
  }
}

/** [axis][before, behind], channels last -> zeros behind, channels first. The graph pads nothing before. */
const paddingBehind = (pairs: Float32Array): [number, number, number, number] => {
  const [n, h, w, c] = [pairs[1]!, pairs[3]!, pairs[5]!, pairs[7]!]
  return [n, c, h, w]
}

/** The source reshapes to a fixed number of anchors; leaving it open is what lets the network take any size. */
function anchorList(graph: Graph, grid: string, output: string): string {
  const channelsLast = graph.node('Transpose', [grid], { perm: [0, 2, 3, 1] })
  const shape = graph.constant(BigInt64Array.of(0n, -1n, BigInt(valuesOf(output))), [3])
  return graph.node('Reshape', [channelsLast, shape], {}, output)
}
