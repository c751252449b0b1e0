/** The memory that a piece of work asks for: of WebAssembly, and of arrays outside it. */

export interface Taken {
  /** Bytes of the memories of all instances that the work made, at their end; memories never shrink. */
  readonly wasm: number
  /** Bytes of all arrays that it made, but for what was collected meanwhile. */
  readonly arrays: number
}

/** Does the work, and counts. Nothing else may run meanwhile. */
export async function counted<Result>(work: () => Promise<Result>): Promise<{ result: Result } & Taken> {
  const memories = new Set<WebAssembly.Memory>()
  const { Instance, Memory } = WebAssembly
  const note = (candidate: unknown) => {
    if (candidate instanceof Memory) memories.add(candidate)
  }
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports)
      for (const exported of Object.values(this.exports)) note(exported)
    }
  }
  const before = process.memoryUsage().arrayBuffers
  try {
    const result = await work()
    const wasm = [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
    // What lies in a memory is counted with the arrays, too.
    return { result, wasm, arrays: process.memoryUsage().arrayBuffers - before }
  } finally {
    WebAssembly.Instance = Instance
  }
}
