/** Layers of face-api's small networks, by the names under which it keeps their weights. */
import { convolution, depthwise, SAME, tensor, VALID } from './onnx/layers.ts'
import type { Graph } from './onnx/onnx.ts'
import type { Weights } from './onnx/weights.ts'

/** Adds the layer of this name to the graph; returns the name of what it produces. */
export type Layer = (graph: Graph, weights: Weights, input: string, name: string, stride: number) => string

/** An ordinary convolution. */
export const fullConvolution: Layer = (graph, weights, input, name, stride) =>
  convolution(graph, input, {
    filters: weights(`${name}/filters`),
    bias: weights(`${name}/bias`),
    stride,
    padding: SAME,
  })

/** A convolution of each channel by itself, then one that mixes the channels of each pixel. */
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

/** A fully connected layer; what it produces is named `output` where one is asked for. */
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
