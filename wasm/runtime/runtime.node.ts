/** Opens runtimes under Node: onnxruntime-node where the platform has a binary, and onnxruntime-web. */
import { readFile } from 'node:fs/promises'
import type { Runtime } from './runtime.ts'

const STOCK_WASM = 'onnxruntime-web/ort-wasm-simd-threaded.wasm'

/** Opens onnxruntime-web on one thread. To use more threads, open a runtime in each worker thread. */
export async function openRuntime(): Promise<Runtime> {
  // Only where it is used: a thread with the native runtime does without.
  const { env } = await import('onnxruntime-web/wasm')
  const { runtime } = await import('./runtime.ts')
  env.wasm.numThreads = 1
  env.wasm.proxy = false
  env.logLevel = 'error'
  // With the bytes given, onnxruntime-web does not fetch the file. Node's fetch cannot read file URLs.
  env.wasm.wasmBinary ??= await readFile(new URL(import.meta.resolve(STOCK_WASM)))
  return runtime
}

/** Opens the native runtime, or onnxruntime-web where there is none. Networks run on the calling thread. */
export const openFastestRuntime = async (): Promise<Runtime> => (await nativeRuntime()) ?? openRuntime()

/** The native runtime: four times as fast as WASM, but not available on every machine. */
async function nativeRuntime(): Promise<Runtime | undefined> {
  const ort = await import('onnxruntime-node').catch(() => undefined)
  if (!ort) return undefined
  return {
    async session(model) {
      const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 })
      return {
        async run(inputs) {
          const tensors = Object.entries(inputs).map(([name, { data, dims }]) => [
            name,
            new ort.Tensor('float32', data, dims),
          ])
          const outputs = Object.entries(await session.run(Object.fromEntries(tensors)))
          return Object.fromEntries(outputs.map(([name, { data }]) => [name, data as Float32Array]))
        },
        release: () => session.release(),
      }
    },
  }
}
