/** Layers of face-api's small networks, addressed by the names of their weights. */
import { convolution, depthwise, SAME, tensor, VALID } from './onnx/layers.ts'
import type { Graph } from './onnx/onnx.ts'
import type { Weights } from './onnx/weights.ts'

/** Adds the layer with this name to the graph. Returns the name of its output. */
export type Layer = (graph: Graph, weights: Weights, input: string, name: string, stride: number) => string

/** A full convolution. */
export const fullConvolution: Layer = (graph, weights, input, name, stride) =>
  convolution(graph, input, {
    filters: weights(`${name}/filters`),
    bias: weights(`${name}/bias`),
    stride,
    padding: SAME,
  })

/** A depthwise convolution, then a 1 x 1 convolution that mixes channels. */
export const separableConvolution: Layer = (graph, weights, input, name, stride) => {
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

/** A fully connected layer. Its output is named `output` if given. */
export function fullyConnected(
  graph: Graph,
  weights: Weights,
  input: string,
  name: string,
  output?: string,
): string {
  const parameters = [tensor(graph, weights(`${name}/weights`)), tensor(graph, weights(`${name}/bias`))]
  return graph.node('Gemm', [input, ...parameters], {}, output)
}
