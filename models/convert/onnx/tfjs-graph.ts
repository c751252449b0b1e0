/** Converts graphs of TensorFlow.js to ONNX, node by node. */
import * as z from 'zod'
import { convolution, depthwise, PADDED, relu, sum, UNPADDED } from './layers.ts'
import type { Graph } from './onnx.ts'
import { type Weights, WeightsManifestSchema } from './weights.ts'

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

/** The JSON file of a TensorFlow.js graph model. Unused properties are ignored. */
export const GraphFileSchema = z.object({
  modelTopology: z.object({ node: z.array(NodeSchema) }),
  weightsManifest: WeightsManifestSchema,
})
export type GraphFile = z.infer<typeof GraphFileSchema>

/** Arguments of a rule: a node of the source, and the names of its input tensors in the ONNX graph. */
interface Step {
  readonly graph: Graph
  readonly node: Node
  readonly inputs: readonly string[]
  readonly weights: Weights
}

/** Adds the node's operation to the ONNX graph. Returns the name of its output. */
type Rule = (step: Step) => string

/** Rules by operator of the source. */
export type Rules = Readonly<Record<string, Rule>>

/** Operators that all converted networks use. */
const COMMON: Rules = {
  _FusedConv2D: ({ graph, node, inputs, weights }) => {
    const convolved = convolution(graph, inputs[0]!, convolutionOf(node, weights))
    return node.attr.fused_ops?.includes('Relu') ? relu(graph, convolved) : convolved
  },
  DepthwiseConv2dNative: ({ graph, node, inputs, weights }) =>
    depthwise(graph, inputs[0]!, convolutionOf(node, weights)),
  AddV2: ({ graph, inputs }) => sum(graph, ...inputs),
  Relu: ({ graph, inputs }) => relu(graph, inputs[0]!),
  MaxPool: ({ graph, node, inputs }) =>
    graph.node('MaxPool', [inputs[0]!], {
      kernel_shape: node.attr.ksize!.slice(1, 3),
      strides: node.attr.strides!.slice(1, 3),
      ...paddingOf(node),
    }),
}

/** Adds all nodes of the source by the common rules and the network's own. Throws for an operator without a rule. */
export function convertGraph(graph: Graph, { modelTopology }: GraphFile, weights: Weights, own: Rules): void {
  const rules: Rules = { ...COMMON, ...own }
  const produced = new Map<string, string>()
  for (const node of modelTopology.node) {
    // Constants are read where they are used. They have no place in the node order.
    if (node.op === 'Const') continue
    const rule = rules[node.op]
    if (!rule) throw new Error(`no rule turns the operator ${node.op} into ONNX`)
    const inputs = node.input.map(name => produced.get(name) ?? name)
    produced.set(node.name, rule({ graph, node, inputs, weights }))
  }
}

const paddingOf = (node: Node) => (node.attr.padding === 'SAME' ? PADDED : UNPADDED)

const convolutionOf = (node: Node, weights: Weights) => {
  const [, filters, bias] = node.input
  return {
    filters: weights(filters!),
    ...(bias === undefined ? {} : { bias: weights(bias) }),
    stride: node.attr.strides![1]!,
    padding: paddingOf(node),
  }
}
