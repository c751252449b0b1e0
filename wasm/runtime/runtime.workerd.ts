/** onnxruntime-web in workerd, where WebAssembly may only be instantiated from modules that were deployed with the worker. */
import { env, InferenceSession } from 'onnxruntime-web/wasm'
import ortModule from '../built/ort.wasm'
import { type Runtime, runtime } from './runtime.ts'

/** 88 MiB in pages of 64 KiB: what an isolate of 128 MiB can give to inference. */
const MEMORY_PAGES = 1408

/** A model of one Identity node over one float (IR 8, opset 16): a session of it brings the backend up. */
const IDENTITY_MODEL =
  'CAgSBXByb3RvOkMKHAoBeBIBeRoKeS9JZGVudGl0eSIISWRlbnRpdHkSAWdaDwoBeBIKCggIARIECgIIAWIPCgF5EgoKCAgBEgQKAggBQgQKABAN'

let opened = false

/**
 * Brings the backend up, once per isolate. Everything in it completes in microtasks of the request that asks first, so
 * that no other request ever waits for it.
 */
export async function openRuntime(): Promise<Runtime> {
  if (opened) return runtime
  env.wasm.numThreads = 1
  env.wasm.proxy = false
  env.logLevel = 'error'
  // Never read: it makes onnxruntime-web use its embedded glue and fetch nothing.
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
 * While the backend comes up: `instantiate` uses the deployed module, and synchronously; memories are not shared (the
 * module's own flag is cleared by build.ts) and bounded; `waitAsync`, which needs shared memory, is hidden.
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
