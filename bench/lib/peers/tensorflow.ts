/** TensorFlow.js with its WASM backend, on which the compared libraries run. */
import { createRequire } from 'node:module'
import { join } from 'node:path'

export const require = createRequire(import.meta.url)

/** Resolves by path: human's package does not export its folder to `require`. */
export const packageFolder = (name: string): string =>
  join(import.meta.dirname, '..', '..', '..', 'node_modules', name)

/** Folder of the backend's WASM files. */
export const wasmPath = (): string => `${packageFolder('@tensorflow/tfjs-backend-wasm')}/dist/`

export async function tensorflow() {
  const tf = require('@tensorflow/tfjs')
  require('@tensorflow/tfjs-backend-wasm').setWasmPaths(wasmPath())
  await tf.setBackend('wasm')
  await tf.ready()
  return tf
}
