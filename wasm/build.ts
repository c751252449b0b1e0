/** Builds wasm/built: the kernels, and the WASM of onnxruntime-web without its shared-memory flag. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildKernels } from './kernels/build.ts'
import { withUnsharedMemory } from './runtime/unshare.ts'

const SOURCE = new URL(import.meta.resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'))
const BUILT = new URL('built/', import.meta.url)
const TARGET = new URL('ort.wasm', BUILT)

/** Writes the outputs that are missing or stale. Returns true when at least one file was written. */
export async function buildWasm(): Promise<boolean> {
  const kernels = await buildKernels()
  return (await buildRuntime()) || kernels
}

/** Writes the runtime unless an identical file exists. */
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
