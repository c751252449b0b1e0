/** Scheduling of photo analyses: analyses in progress, the order of their pieces of work, and the memory of their decodes. */

import * as fc from 'fast-check'
import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import { decodeMemory, inferenceScheduler, type SharedResources } from '#edge/vision/inference-scheduler.ts'
import { times } from '#test/support/times.ts'

const BUDGET = 100

const turn = (ms = 0) => new Promise(resolve => setTimeout(resolve, ms))

/** Work of one full piece. */
const PIECE = EDGE_LIMITS.pieceUs

/** An analysis of this many full pieces, which records its name for each. */
const analysis =
  (name: string, pieces: number, events: string[]) =>
  async ({ pace }: SharedResources) => {
    for (let piece = 0; piece < pieces; piece++) {
      await pace(PIECE)
      events.push(name)
    }
    return name
  }

it('inferenceScheduler for one token runs one analysis at a time, in order of request', async () => {
  const { schedule } = inferenceScheduler(BUDGET)
  const events: string[] = []
  const names = ['a', 'b', 'c']
  expect(await Promise.all(names.map(name => schedule('token', analysis(name, 3, events))))).toEqual(names)
  expect(events).toEqual(names.flatMap(name => [name, name, name]))
})

describe('inferenceScheduler for several tokens', () => {
  it('alternates their pieces of work', async () => {
    const { schedule } = inferenceScheduler(BUDGET)
    const events: string[] = []
    await Promise.all([schedule('a', analysis('a', 6, events)), schedule('b', analysis('b', 6, events))])
    const whileBoth = events.slice(2, 10)
    expect(whileBoth.filter(name => name === 'a')).toHaveLength(4)
    for (const [i, name] of whileBoth.slice(1).entries()) expect(name).not.toBe(whileBoth[i])
  })

  it('runs analyses of EDGE_LIMITS.analyses tokens at once', async () => {
    const { schedule } = inferenceScheduler(BUDGET)
    let inProgress = 0
    let most = 0
    const tokens = times(12, i => `token ${i}`)
    const analyze = async () => {
      most = Math.max(most, ++inProgress)
      await turn(5)
      inProgress--
    }
    await Promise.all(tokens.map(token => schedule(token, analyze)))
    expect(most).toBe(EDGE_LIMITS.analyses)
  })
})

it('inferenceScheduler paces the loading of networks like analyses', async () => {
  const paces: unknown[] = []
  const { paced, schedule } = inferenceScheduler(BUDGET)
  const session = async (_: Uint8Array, options?: { pace?: unknown }) => {
    paces.push(options?.pace)
    return { run: async () => ({}), release: async () => {} }
  }
  await paced({ session }).session(new Uint8Array())
  await schedule('token', async ({ pace }) => expect(paces).toEqual([pace]))
})

it('pieces of work of inferenceScheduler run one at a time between other requests, for any number of analyses', async () => {
  const { schedule } = inferenceScheduler(BUDGET)
  let sinceHeard = 0
  let most = 0
  let analysing = true
  const others = async () => {
    for (; analysing; await turn()) sinceHeard = 0
  }
  const listening = others()
  const analyze = async ({ pace }: SharedResources) => {
    for (let piece = 0; piece < 10; piece++) {
      await pace(PIECE)
      most = Math.max(most, ++sinceHeard)
    }
  }
  await Promise.all(['a', 'b', 'c', 'd'].map(token => schedule(token, analyze)))
  analysing = false
  await listening
  expect(most).toBe(1)
})

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
