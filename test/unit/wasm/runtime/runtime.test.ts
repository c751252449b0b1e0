/** Sessions announce their work, and releasable frees all networks of a runtime. */
import { buildModels } from '#commands/build/models.ts'
import { readModel } from '#models/files.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { releasable } from '#wasm/runtime/runtime.ts'

it('a session announces the work of its load, and of each run by the pixels of the batch', async () => {
  await buildModels()
  const announced: number[] = []
  const pace = async (work: number) => void announced.push(work)
  const runtime = await openRuntime()
  const session = await runtime.session(await readModel('rnet.onnx'), { pace, pixelUs: 0.5 })
  await session.run({ input: { data: new Float32Array(2 * 3 * 24 ** 2), dims: [2, 3, 24, 24] } })
  expect(announced).toEqual([expect.any(Number), 0.5 * 2 * 24 ** 2])
})

it('releasable releases each session once', async () => {
  const released: number[] = []
  const session = async (model: Uint8Array) => ({
    run: async () => ({}),
    release: async () => void released.push(model.length),
  })
  const { runtime: counted, release } = releasable({ session })
  for (const length of [1, 2]) await counted.session(new Uint8Array(length))
  await release()
  await release()
  expect(released).toEqual([1, 2])
})
