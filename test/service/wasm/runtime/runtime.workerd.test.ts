/** onnxruntime in workerd: it starts within a request and computes the same as in Node. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestHarness } from 'wrangler'
import { buildModels } from '#commands/build/models.ts'
import { readModel } from '#models/files.ts'
import { buildWasm } from '#wasm/build.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'

const worker = createTestHarness({
  workers: [{ configPath: join(import.meta.dirname, '..', 'workerd', 'wrangler.toml') }],
})

/** The result of the worker's computation, from Node. */
async function expected(): Promise<number[]> {
  const session = await (await openRuntime()).session(await readModel('onet.onnx'))
  const data = Float32Array.from({ length: 3 * 48 * 48 }, (_, i) => (i % 255) / 255 - 0.5)
  const { points } = await session.run({ input: { data, dims: [1, 3, 48, 48] } })
  return [...points!]
}

async function pointsOfOne(): Promise<number[]> {
  const answer = await worker.fetch('/')
  expect(answer.status).toBe(200)
  return (await answer.json()) as number[]
}

describe('onnxruntime in workerd', { tags: 'long' }, () => {
  beforeAll(async () => {
    await Promise.all([buildModels(), buildWasm()])
    await worker.listen()
  })
  afterAll(() => worker.close())

  it('gives eight concurrent first requests the same numbers as Node', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, pointsOfOne))
    const numbers = await expected()
    for (const points of answers) {
      expect(points).toHaveLength(10)
      for (const [i, point] of points.entries()) expect(point).toBeCloseTo(numbers[i]!, 5)
    }
  })
})
