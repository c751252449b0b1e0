/** TensorFlow.js on its WASM backend, and face-api over it. The package of all parts takes 200 MB more, so these are two of its parts. */
import { createRequire, registerHooks } from 'node:module'

const require = createRequire(import.meta.url)

// face-api imports the complete package, and uses only its core.
registerHooks({
  resolve: (name, context, next) =>
    next(name === '@tensorflow/tfjs' ? '@tensorflow/tfjs-core' : name, context),
})

/** The core with its WASM backend ready. `Used` has the members that the caller uses. */
export async function openTensorflow<Used>(): Promise<Used> {
  const core = require('@tensorflow/tfjs-core')
  require('@tensorflow/tfjs-backend-wasm')
  await core.setBackend('wasm')
  await core.ready()
  chainOperations(core)
  return core
}

/** face-api on the backend that `openTensorflow` has opened. */
export const requireFaceApi = <Used>(): Used => require('@vladmandic/face-api/dist/face-api.node-wasm.js')

interface Tensor {
  readonly size: number
  reshape(shape: readonly number[]): Tensor
  cast(type: string): Tensor
}

/** Makes operations methods of tensors, as the package of all parts does. */
function chainOperations(core: { Tensor: { prototype: object } }) {
  const methods: Record<string, unknown> = {
    toInt(this: Tensor) {
      return this.cast('int32')
    },
  }
  for (const dimensions of [1, 2, 3, 4])
    methods[`as${dimensions}D`] = function (this: Tensor, ...shape: number[]) {
      return this.reshape(shape.length > 0 ? shape : [this.size])
    }
  for (const [name, operation] of Object.entries<unknown>(core))
    if (typeof operation === 'function')
      methods[name] = function (this: Tensor, ...rest: unknown[]) {
        return operation(this, ...rest)
      }
  const { prototype } = core.Tensor
  for (const [name, method] of Object.entries(methods))
    if (!(name in prototype)) Object.defineProperty(prototype, name, { value: method })
}
