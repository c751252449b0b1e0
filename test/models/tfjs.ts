/** The source networks as their own framework runs them: TensorFlow.js on its WASM backend. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const PACKAGES = new URL('../../node_modules/', import.meta.url)

/** The few parts of TensorFlow.js that the tests call. */
interface Tensor {
  dataSync(): Float32Array
}
interface GraphModel {
  execute(input: Tensor, outputs: string[]): Tensor[]
}
interface Tensorflow {
  tensor(data: ArrayLike<number>, shape: number[], dtype?: 'float32' | 'int32'): Tensor
  setBackend(name: string): Promise<boolean>
  ready(): Promise<void>
  loadGraphModel(handler: { load(): Promise<unknown> }): Promise<GraphModel>
}
interface Net {
  loadFromDisk(folder: string): Promise<void>
}
interface FaceApi {
  tf: Tensorflow
  nets: {
    faceRecognitionNet: Net & { computeFaceDescriptor(chip: Tensor): Promise<Float32Array> }
    faceLandmark68Net: Net & { runNet(crop: unknown): Tensor }
  }
  toNetInput(tensor: Tensor): Promise<unknown>
}

/** TensorFlow.js, ready to run. */
export async function tensorflow(): Promise<Tensorflow> {
  const tf: Tensorflow = require('@tensorflow/tfjs')
  require('@tensorflow/tfjs-backend-wasm')
  await tf.setBackend('wasm')
  await tf.ready()
  return tf
}

/** BlazeFace as human ships it: 1 x 256 x 256 x 3 pixels in -1..1 -> the named outputs. */
export async function tfjsBlazeface(): Promise<(pixels: Float32Array, outputs: string[]) => Float32Array[]> {
  const tf = await tensorflow()
  const folder = new URL('@vladmandic/human/models/', PACKAGES)
  const { modelTopology, weightsManifest } = JSON.parse(
    await readFile(new URL('blazeface.json', folder), 'utf8'),
  )
  const weightData = new Uint8Array(await readFile(new URL('blazeface.bin', folder))).buffer
  const weightSpecs = weightsManifest[0].weights
  const model = await tf.loadGraphModel({ load: async () => ({ modelTopology, weightSpecs, weightData }) })
  return (pixels, outputs) =>
    model.execute(tf.tensor(pixels, [1, 256, 256, 3]), outputs).map(output => output.dataSync())
}

/** face-api's own nets, which take 8-bit pixels and normalise them themselves. */
export async function tfjsFaceApi() {
  await tensorflow()
  const faceapi: FaceApi = require('@vladmandic/face-api/dist/face-api.node-wasm.js')
  const folder = new URL('@vladmandic/face-api/model/', PACKAGES).pathname
  const { faceRecognitionNet, faceLandmark68Net } = faceapi.nets
  await faceRecognitionNet.loadFromDisk(folder)
  await faceLandmark68Net.loadFromDisk(folder)
  const picture = (pixels: Uint8Array, side: number) => faceapi.tf.tensor(pixels, [side, side, 3], 'int32')
  return {
    /** 150 x 150 RGB -> 128 numbers. */
    embedding: (chip: Uint8Array) => faceRecognitionNet.computeFaceDescriptor(picture(chip, 150)),
    /** 112 x 112 RGB -> 136 numbers, before face-api takes its own margins off. */
    landmarks: async (crop: Uint8Array) =>
      faceLandmark68Net.runNet(await faceapi.toNetInput(picture(crop, 112))).dataSync(),
  }
}
