/** Opens onnxruntime-web in workerd, which instantiates WebAssembly only from modules deployed with the worker. */
import { env, InferenceSession } from 'onnxruntime-web/wasm'
import ortModule from '../built/ort.wasm'
import { type Runtime, runtime } from './runtime.ts'

/** 88 MiB in pages of 64 KiB: the share of a 128 MiB isolate that inference can use. */
const MEMORY_PAGES = 1408

/** A model of one Identity node over one float (IR 8, opset 16). A session with it starts the backend. */
const IDENTITY_MODEL =
  'CAgSBXByb3RvOkMKHAoBeBIBeRoKeS9JZGVudGl0eSIISWRlbnRpdHkSAWdaDwoBeBIKCggIARIECgIIAWIPCgF5EgoKCAgBEgQKAggBQgQKABAN'

let opened = false

/**
 * Starts the backend, once per isolate. All steps complete in microtasks of the first request, and therefore no other
 * request waits for the backend.
 */
export async function openRuntime(): Promise<Runtime> {
  if (opened) return runtime
  env.wasm.numThreads = 1
  env.wasm.proxy = false
  env.logLevel = 'error'
  // Never read. A value here makes onnxruntime-web use its embedded glue code and fetch nothing.
  env.wasm.wasmBinary = new Uint8Array(8)
  const restore = replaceGlobals()
  try {
    const bytes = Uint8Array.from(atob(IDENTITY_MODEL), character => character.charCodeAt(0))
    const session = await InferenceSession.create(bytes, { executionProviders: ['wasm'] })
    await session.release()
  } finally {
    restore()
  }
  opened = true
  return runtime
}

/**
 * Replaces globals while the backend starts: `instantiate` uses the deployed module synchronously; memories are
 * bounded and not shared (build.ts clears the flag of the module); `waitAsync`, which needs shared memory, is hidden.
 */
function replaceGlobals(): () => void {
  const { instantiate, Memory } = WebAssembly
  const { waitAsync } = Atomics

  const instantiateDeployed = async (_source: unknown, imports: WebAssembly.Imports) => ({
    instance: new WebAssembly.Instance(ortModule, imports),
    module: ortModule,
  })
  const boundedMemory = function boundedMemory({ initial, maximum }: WebAssembly.MemoryDescriptor) {
    return new Memory({ initial, maximum: Math.min(maximum ?? MEMORY_PAGES, MEMORY_PAGES) })
  }
  Object.assign(WebAssembly, { instantiate: instantiateDeployed, Memory: boundedMemory })
  Object.assign(Atomics, { waitAsync: undefined })
  return () => {
    Object.assign(WebAssembly, { instantiate, Memory })
    Object.assign(Atomics, { waitAsync })
  }
}
