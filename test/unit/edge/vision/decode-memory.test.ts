/** The memory budget of decodes: never exceeded, and each decode gets its share. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import { decodeMemory } from '#edge/vision/inference-scheduler.ts'

const BUDGET = 100

const turn = (ms = 0) => new Promise(resolve => setTimeout(resolve, ms))

it('decodeMemory never exceeds its budget, and serves all reservations', async () => {
  const claims = fc.array(
    fc.record({ token: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 0, max: BUDGET }) }),
    { minLength: 1, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(claims, async all => {
      const reserve = decodeMemory(BUDGET)
      let held = 0
      const decode = async ({ token, bytes }: { token: string; bytes: number }) => {
        const { release, total } = await reserve(token, bytes)
        held += bytes
        expect(total).toBeGreaterThanOrEqual(bytes)
        expect(total).toBeLessThanOrEqual(BUDGET)
        expect(held).toBeLessThanOrEqual(BUDGET)
        await turn()
        held -= bytes
        release()
      }
      await Promise.all(all.map(decode))
      expect(held).toBe(0)
    }),
    { numRuns: 20 },
  )
})

it('decodeMemory frees a reservation after EDGE_LIMITS.permitMs, when the runtime ended its request silently', async () => {
  let ms = 0
  const reserve = decodeMemory(BUDGET, () => ms)
  await reserve('a', BUDGET)
  ms += EDGE_LIMITS.permitMs + 1
  expect((await reserve('b', BUDGET)).total).toBe(BUDGET)
})
