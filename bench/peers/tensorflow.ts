/** TensorFlow.js on its WASM backend, as the libraries that we compare ourselves with run on it. */
import { createRequire } from 'node:module'
import { join } from 'node:path'

export const require = createRequire(import.meta.url)

/** By its path: human hides what lies in its folder from `require`. */
export const packageFolder = (name: string): string =>
  join(import.meta.dirname, '..', '..', 'node_modules', name)

/** Where the backend's WASM files are. */
export const wasmPath = (): string => `${packageFolder('@tensorflow/tfjs-backend-wasm')}/dist/`

export async function tensorflow() {
  const tf = require('@tensorflow/tfjs')
  require('@tensorflow/tfjs-backend-wasm').setWasmPaths(wasmPath())
  await tf.setBackend('wasm')
  await tf.ready()
  return tf
}
