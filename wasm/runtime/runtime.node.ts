/** onnxruntime-web under Node: for core's photo worker, for tests, and where onnxruntime-node has no binary. */
import { readFile } from 'node:fs/promises'
import { env } from 'onnxruntime-web/wasm'
import { type Runtime, runtime } from './runtime.ts'

const STOCK_WASM = 'onnxruntime-web/ort-wasm-simd-threaded.wasm'

/** The runtime on one thread: whoever wants more starts worker threads and opens one in each. */
export async function openRuntime(): Promise<Runtime> {
  env.wasm.numThreads = 1
  env.wasm.proxy = false
  env.logLevel = 'error'
  // Given the bytes, onnxruntime-web does not try to fetch them, which Node cannot do from a file.
  env.wasm.wasmBinary ??= await readFile(new URL(import.meta.resolve(STOCK_WASM)))
  return runtime
}
