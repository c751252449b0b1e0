/** Peer of the latency benchmarks: @vladmandic/face-api on TensorFlow.js with its WASM backend. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

const require = createRequire(import.meta.url)

export interface Peer {
  /**
   * Decodes the photo with sharp, the fastest available decoder, and detects. Returns the milliseconds of each and
   * the number of faces.
   */
  detect(photo: Uint8Array): Promise<{ decodeMs: number; detectMs: number; faces: number }>
}

export type Network = 'ssd' | 'tiny'

/** One of its detectors, warm after the first call. */
export async function openFaceApi(network: Network): Promise<Peer> {
  const tf = require('@tensorflow/tfjs')
  const wasm = require('@tensorflow/tfjs-backend-wasm')
  const faceapi = require('@vladmandic/face-api/dist/face-api.node-wasm.js')
  wasm.setWasmPaths(`${dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json'))}/dist/`)
  await tf.setBackend('wasm')
  await tf.ready()
  const models = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'model')
  const { ssdMobilenetv1, tinyFaceDetector } = faceapi.nets
  await (network === 'ssd' ? ssdMobilenetv1 : tinyFaceDetector).loadFromDisk(models)
  const detector =
    network === 'ssd' ? new faceapi.SsdMobilenetv1Options() : new faceapi.TinyFaceDetectorOptions()

  return {
    async detect(photo) {
      const began = performance.now()
      const { data, info } = await sharp(photo).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const decoded = performance.now()
      const pixels = tf.tensor3d(new Uint8Array(data), [info.height, info.width, 3], 'int32')
      const faces = await faceapi.detectAllFaces(pixels, detector)
      pixels.dispose()
      return { decodeMs: decoded - began, detectMs: performance.now() - decoded, faces: faces.length }
    },
  }
}
