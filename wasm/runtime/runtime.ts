/** Wraps onnxruntime-web: loads models and runs them on tensors. No other module imports onnxruntime-web's API. */
import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-web/wasm'
import { NO_PAUSES, type Pace } from './pace.ts'

/** Numbers in row-major order, with the sizes of their axes. */
interface Tensor {
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

interface SessionOptions {
  /** Called before the network is loaded and before each run. Other tasks run during the call. */
  readonly pace?: Pace
  /** Estimated microseconds of a run for each pixel of its input. */
  readonly pixelUs?: number
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

/** Microseconds of a run for a pixel, for sessions that state none. */
const DEFAULT_PIXEL_US = 0.5

/** The runtime over onnxruntime-web. The environment must be set before. */
export const runtime: Runtime = {
  async session(model, { pace = NO_PAUSES, pixelUs = DEFAULT_PIXEL_US } = {}) {
    await pace(model.length * LOADED_BYTE_US)
    const session = await InferenceSession.create(model, OPTIONS)
    return {
      async run(inputs) {
        await pace(pixelUs * Object.values(inputs).reduce((sum, { dims }) => sum + pixelsOf(dims), 0))
        const feeds = Object.entries(inputs).map(([name, { data, dims }]) => [
          name,
          new OrtTensor('float32', data, dims),
        ])
        const outputs = Object.entries(await session.run(Object.fromEntries(feeds)))
        return Object.fromEntries(outputs.map(([name, { data }]) => [name, data as Float32Array]))
      },
      release: () => session.release(),
    }
  },
}

/** Inputs are pictures: [count, channels, height, width]. */
const pixelsOf = ([count = 1, , height = 1, width = 1]: readonly number[]) => count * height * width

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
