/** The memory of a build of the kernels, for tests that write into it and read from it. */
import { openKernels } from '#wasm/kernels/kernels.node.ts'
import type { KernelBuild, Kernels } from '#wasm/kernels/kernels.ts'

/** Pages of 64 KiB. */
const PAGES = 16

export class KernelMemory {
  readonly memory = new WebAssembly.Memory({ initial: PAGES })
  readonly bytes = new Uint8Array(this.memory.buffer)
  readonly floats = new Float32Array(this.memory.buffer)
  kernels!: Kernels

  static async open<Memory extends KernelMemory>(
    this: new () => Memory,
    build: KernelBuild,
  ): Promise<Memory> {
    const opened = new this()
    opened.kernels = await openKernels(opened.memory, build)
    return opened
  }
}
