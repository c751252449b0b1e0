/** The one door to onnxruntime-web: models go in, functions from tensors to tensors come out. */
import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-web/wasm'
import { NO_PAUSES, type Pace } from '../decode/pacing.ts'
import { type Part, servicesOf } from './network-parts.ts'

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
  session(model: Uint8Array, options?: SessionOptions): Promise<Session>
}

export interface SessionOptions {
  /** Lets other work run before the network is loaded, and whenever it runs. */
  readonly pace?: Pace
  /**
   * With a pace: the network is cut into parts, and other work runs between them. For networks whose results stay the same,
   * bit by bit, which test/wasm/runtime/network-parts.test.ts shows.
   */
  readonly inParts?: boolean
}

/**
 * The WASM's memory only ever grows, and a kept arena or a memory plan for each size of picture would hold its greatest
 * extent for good: both are off.
 */
const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['wasm'],
  enableCpuMemArena: false,
  enableMemPattern: false,
}

/** Microseconds that a byte of a model takes to load. Measured. */
const LOADED_BYTE_US = 0.3

/** The runtime over onnxruntime-web, once its environment is set. */
export const runtime: Runtime = {
  async session(model, { pace, inParts = false } = {}) {
    const loaded: LoadedPart[] = []
    for (const { model: file, ...part } of pace ? servicesOf(model, inParts) : [{ model, work: 0 }]) {
      await pace?.(file.length * LOADED_BYTE_US)
      const session = await InferenceSession.create(file, OPTIONS)
      loaded.push({ results: session.outputNames, ...part, session })
    }
    return { run: inputs => run(loaded, inputs, pace ?? NO_PAUSES) }
  },
}

interface LoadedPart extends Omit<Part, 'model'> {
  readonly session: InferenceSession
}

/** Runs the parts one after the other. Each takes what those before it gave. */
async function run(
  parts: readonly LoadedPart[],
  inputs: Readonly<Record<string, Tensor>>,
  pace: Pace,
): Promise<Record<string, Float32Array>> {
  const pixels = Object.values(inputs).reduce((sum, { dims }) => sum + pixelsOf(dims), 0)
  let values: Record<string, OrtTensor> = Object.fromEntries(
    Object.entries(inputs).map(([name, { data, dims }]) => [name, new OrtTensor('float32', data, dims)]),
  )
  const outputs: Record<string, Float32Array> = {}
  for (const { session, work, results } of parts) {
    await pace(pixels * work)
    const feeds = Object.fromEntries(session.inputNames.map(name => [name, values[name]!]))
    // A part hands on to the next alone: what came before is free to be collected.
    values = (await session.run(feeds)) as Record<string, OrtTensor>
    for (const name of results) outputs[name] = values[name]!.data as Float32Array
  }
  return outputs
}

/** Networks are shown pictures: [1, channels, height, width]. */
const pixelsOf = ([, , height = 1, width = 1]: readonly number[]): number => height * width
