/** Makes wasm/built: the kernels, and onnxruntime-web's own WASM with the flag cleared that asks for shared memory. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildKernels } from './kernels/build.ts'
import { withUnsharedMemory } from './runtime/unshare.ts'

const SOURCE = new URL(import.meta.resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'))
const BUILT = new URL('built/', import.meta.url)
const TARGET = new URL('ort.wasm', BUILT)

/** Writes what is not there already. True when anything had to be written. */
export async function buildWasm(): Promise<boolean> {
  const kernels = await buildKernels()
  return (await buildRuntime()) || kernels
}

/** Writes the file unless it is there already, byte for byte. */
async function buildRuntime(): Promise<boolean> {
  const bytes = withUnsharedMemory(await readFile(SOURCE))
  const current = await readFile(TARGET).catch(() => undefined)
  if (current?.equals(bytes)) return false
  await mkdir(BUILT, { recursive: true })
  const temporary = new URL(`ort.wasm.${process.pid}.tmp`, BUILT)
  await writeFile(temporary, bytes)
  await rename(temporary, TARGET)
  return true
}

if (import.meta.main) {
  const built = await buildWasm()
  console.log(`${fileURLToPath(BUILT)}: ${built ? 'built' : 'up to date'}`)
}
