/**
 * Opens onnxruntime-web under Node: for core's photo worker, for tests, and on platforms without a binary of
 * onnxruntime-node.
 */
import { readFile } from 'node:fs/promises'
import { env } from 'onnxruntime-web/wasm'
import { type Runtime, runtime } from './runtime.ts'

const STOCK_WASM = 'onnxruntime-web/ort-wasm-simd-threaded.wasm'

/** Opens the runtime on one thread. To use more threads, open a runtime in each worker thread. */
export async function openRuntime(): Promise<Runtime> {
  env.wasm.numThreads = 1
  env.wasm.proxy = false
  env.logLevel = 'error'
  // With the bytes given, onnxruntime-web does not fetch the file. Node's fetch cannot read file URLs.
  env.wasm.wasmBinary ??= await readFile(new URL(import.meta.resolve(STOCK_WASM)))
  return runtime
}
