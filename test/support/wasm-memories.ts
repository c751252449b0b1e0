/** Counts the memory that work allocates: in WebAssembly, and in arrays. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface WatchedMemories {
  /** Bytes of each memory that a module created. Memories never shrink. */
  own(): number[]
  /** Bytes of each memory that JavaScript created for a module. */
  given(): number[]
  end(): void
}

/** Registers every WebAssembly memory that is created until `end`. */
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

interface Counted<Result> {
  readonly result: Result
  /** Bytes of the memories that modules created or got. */
  readonly wasm: number
  /** Bytes of all new arrays that were not collected during the work. */
  readonly arrays: number
}

/** Does the work and counts its memory. Nothing else may run during the work. */
export async function countMemory<Result>(work: () => Promise<Result>): Promise<Counted<Result>> {
  const memories = watchMemories()
  const before = process.memoryUsage().arrayBuffers
  try {
    const result = await work()
    const wasm = [...memories.own(), ...memories.given()].reduce((sum, bytes) => sum + bytes, 0)
    return { result, wasm, arrays: process.memoryUsage().arrayBuffers - before }
  } finally {
    memories.end()
  }
}

/** Collects garbage twice with a pause, because memory that the first collection finds is freed later. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  await new Promise(resolve => setTimeout(resolve, 50))
  collect()
}
