import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { withUnsharedMemory } from '#wasm/runtime/unshare.ts'

const STOCK = new URL(import.meta.resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'))

/** Memories that a module imports. */
const memories = (bytes: Uint8Array) =>
  WebAssembly.Module.imports(new WebAssembly.Module(bytes.slice())).filter(({ kind }) => kind === 'memory')

it("withUnsharedMemory changes one bit of onnxruntime's module, which stays valid", {
  tags: 'long',
}, async () => {
  const stock = new Uint8Array(await readFile(STOCK))
  const changed = withUnsharedMemory(stock)
  const differing = [...stock.keys()].filter(i => stock[i] !== changed[i])
  expect(differing).toHaveLength(1)
  expect(stock[differing[0]!]! ^ changed[differing[0]!]!).toBe(2)
  expect(memories(changed)).toHaveLength(1)
})

it('withUnsharedMemory refuses a module without shared memory, and one without imported memory', async () => {
  const stock = new Uint8Array(await readFile(STOCK))
  expect(() => withUnsharedMemory(withUnsharedMemory(stock))).toThrow('not shared')
  expect(() => withUnsharedMemory(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))).toThrow('no memory')
})
