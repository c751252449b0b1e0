/** The memory that work asks for: of WebAssembly, and of arrays outside it. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface WatchedMemories {
  /** Bytes of each memory that a module brought with it since the watch began. Memories never shrink. */
  own(): number[]
  /** Bytes of each memory that was made outside and given to a module. */
  given(): number[]
  end(): void
}

/** Keeps every memory of WebAssembly in view that is made from now on. */
export function watchMemories(): WatchedMemories {
  const { Instance, Memory } = WebAssembly
  const own = new Set<WebAssembly.Memory>()
  const given = new Set<WebAssembly.Memory>()
  const bytes = (memories: Set<WebAssembly.Memory>) => [...memories].map(({ buffer }) => buffer.byteLength)

  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor)
      given.add(this)
    }
  }
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports)
      for (const exported of Object.values(this.exports))
        if (exported instanceof Memory && !given.has(exported)) own.add(exported)
    }
  }
  return {
    own: () => bytes(own),
    given: () => bytes(given),
    end: () => Object.assign(WebAssembly, { Instance, Memory }),
  }
}

export interface Counted<Result> {
  readonly result: Result
  /** Bytes of the memories of all instances that the work made. */
  readonly wasm: number
  /** Bytes of all arrays that it made, but for what was collected meanwhile. */
  readonly arrays: number
}

/** Does the work, and counts. Nothing else may run meanwhile. */
export async function counted<Result>(work: () => Promise<Result>): Promise<Counted<Result>> {
  const memories = watchMemories()
  const before = process.memoryUsage().arrayBuffers
  try {
    const result = await work()
    const wasm = memories.own().reduce((sum, bytes) => sum + bytes, 0)
    return { result, wasm, arrays: process.memoryUsage().arrayBuffers - before }
  } finally {
    memories.end()
  }
}

/** Collects garbage twice with a pause. Memory found by the first collection is freed with a delay. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  await new Promise(resolve => setTimeout(resolve, 50))
  collect()
}
