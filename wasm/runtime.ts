/** The one door to onnxruntime-web: models go in, functions from tensors to tensors come out. */
import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-web/wasm'

/** Numbers in row-major order and the sizes of their axes. */
export interface Tensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/** A loaded network. */
export interface Session {
  /** Named inputs -> named outputs. The arrays of the inputs must not be changed until it is done. */
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Record<string, Float32Array>>
}

/** Where networks run. How its WASM came to be instantiated is what the `runtime.*.ts` files differ in. */
export interface Runtime {
  session(model: Uint8Array): Promise<Session>
}

/**
 * The runtime over onnxruntime-web, once its environment is set. The WASM's memory only ever grows, and a kept arena or
 * a memory plan for each size of picture would hold its greatest extent for good: both are off.
 */
export const runtime: Runtime = {
  async session(model) {
    const session = await InferenceSession.create(model, {
      executionProviders: ['wasm'],
      enableCpuMemArena: false,
      enableMemPattern: false,
    })
    return { run: inputs => run(session, inputs) }
  },
}

async function run(session: InferenceSession, inputs: Readonly<Record<string, Tensor>>) {
  const feeds = Object.entries(inputs).map(([name, { data, dims }]) => [
    name,
    new OrtTensor('float32', data, dims),
  ])
  const outputs = await session.run(Object.fromEntries(feeds))
  return Object.fromEntries(session.outputNames.map(name => [name, outputs[name]!.data as Float32Array]))
}
