import { expect, it } from 'vitest'
import { releasable } from '#wasm/runtime/runtime.ts'

it('releases each session once', async () => {
  const released: number[] = []
  const session = async (model: Uint8Array) => ({
    run: async () => ({}),
    release: async () => void released.push(model.length),
  })
  const { runtime, release } = releasable({ session })
  for (const length of [1, 2]) await runtime.session(new Uint8Array(length))
  await release()
  await release()
  expect(released).toEqual([1, 2])
})
