/** Loads networks natively, or in WASM on machines for which onnxruntime-node has no binary. */
import type { Runtime, Session } from '../../wasm/runtime/runtime.ts'

/** Loads a network that runs only on the calling thread. `native: false` selects WASM. */
export async function openSession(model: Uint8Array, { native = true } = {}): Promise<Session> {
  const runtime = (native && (await nativeRuntime())) || (await wasmRuntime())
  return runtime.session(model)
}

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
          const outputs = await session.run(Object.fromEntries(tensors))
          const named = session.outputNames.map(name => [name, outputs[name]!.data])
          return Object.fromEntries(named) as Record<string, Float32Array>
        },
        release: () => session.release(),
      }
    },
  }
}

async function wasmRuntime(): Promise<Runtime> {
  const { openRuntime } = await import('../../wasm/runtime/runtime.node.ts')
  return openRuntime()
}
