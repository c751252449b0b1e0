/** Loads the kernels under Node from wasm/built, in the best build that this runtime supports. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { instantiateKernels, type KernelBuild, type Kernels } from './kernels.ts'

const FILES: Record<KernelBuild, URL> = {
  simd: new URL('../built/kernels.wasm', import.meta.url),
  relaxed: new URL('../built/kernels.relaxed.wasm', import.meta.url),
}

/** Whether this runtime supports a build. */
export async function takesBuild(build: KernelBuild): Promise<boolean> {
  return WebAssembly.validate(await readFile(FILES[build]))
}

/** The kernels over a memory, in the given build. Default: the faster one that the runtime supports. */
export async function openKernels(memory: WebAssembly.Memory, build?: KernelBuild): Promise<Kernels> {
  const chosen = build ?? ((await takesBuild('relaxed')) ? 'relaxed' : 'simd')
  return instantiateKernels(await WebAssembly.compile(await readFile(FILES[chosen])), memory)
}

let compiled: WebAssembly.Module | undefined

/** The build that every runtime supports, for views of photos. Compiled once. */
export function kernelModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(FILES.simd))
  return compiled
}
