/** Wraps onnxruntime-web: loads models and runs them on tensors. No other module imports onnxruntime-web's API. */
import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-web/wasm'
import { NO_PAUSES, type Pace } from '../decode/budget.ts'
import { type Part, splitNetwork } from './network-parts.ts'

/** Numbers in row-major order, with the sizes of their axes. */
export interface Tensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

/** A loaded network. */
export interface Session {
  /** Maps named inputs to named outputs. Callers must not change the input arrays before the result resolves. */
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Record<string, Float32Array>>
  /** Frees its memory. No run may follow. */
  release(): Promise<void>
}

/** Runs networks. The `runtime.*.ts` files differ only in how they instantiate the WASM. */
export interface Runtime {
  session(model: Uint8Array, options?: SessionOptions): Promise<Session>
}

export interface SessionOptions {
  /** Called before the network is loaded and before each run: other tasks run meanwhile. */
  readonly pace?: Pace
  /**
   * With a pace: splits the network into parts and runs other tasks between them. For networks whose results stay
   * identical bit by bit; test/unit/wasm/runtime/network-parts.test.ts checks this.
   */
  readonly inParts?: boolean
}

/**
 * WASM memory never shrinks. A kept arena, or a memory plan per picture size, would hold its peak for good: both are
 * off.
 */
const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['wasm'],
  enableCpuMemArena: false,
  enableMemPattern: false,
}

/** Microseconds to load one byte of a model. Measured. */
const LOADED_BYTE_US = 0.3

/** The runtime over onnxruntime-web. The environment must be set before. */
export const runtime: Runtime = {
  async session(model, { pace, inParts = false } = {}) {
    const loaded: LoadedPart[] = []
    for (const { model: file, ...part } of pace
      ? splitNetwork(model, inParts)
      : [{ model, microsecondsPerPixel: 0 }]) {
      await pace?.(file.length * LOADED_BYTE_US)
      const session = await InferenceSession.create(file, OPTIONS)
      loaded.push({ results: session.outputNames, ...part, session })
    }
    return {
      run: inputs => run(loaded, inputs, pace ?? NO_PAUSES),
      async release() {
        for (const { session } of loaded) await session.release()
      },
    }
  },
}

interface LoadedPart extends Omit<Part, 'model'> {
  readonly session: InferenceSession
}

/** Runs the parts one after the other. Each part takes the outputs of the previous one. */
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
  for (const { session, microsecondsPerPixel, results } of parts) {
    await pace(pixels * microsecondsPerPixel)
    const feeds = Object.fromEntries(session.inputNames.map(name => [name, values[name]!]))
    // A part passes values only to the next part. Earlier values can be collected.
    values = (await session.run(feeds)) as Record<string, OrtTensor>
    for (const name of results) outputs[name] = values[name]!.data as Float32Array
  }
  return outputs
}

/** Inputs are pictures: [1, channels, height, width]. */
const pixelsOf = ([, , height = 1, width = 1]: readonly number[]): number => height * width

/** The same runtime, and a function that releases all sessions that it opened. */
export function releasable({ session }: Runtime): { runtime: Runtime; release(): Promise<void> } {
  const opened: Session[] = []
  return {
    runtime: {
      async session(...given) {
        const one = await session(...given)
        opened.push(one)
        return one
      },
    },
    async release() {
      for (const one of opened.splice(0)) await one.release()
    },
  }
}
