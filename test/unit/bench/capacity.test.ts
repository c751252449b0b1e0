import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Costs, lineThrough, type Profile, planFor, timeOf } from '#bench/lib/capacity/plan.ts'
import { erlangC, waitForAll, waitForOne } from '#bench/lib/capacity/queues.ts'

describe('queues', () => {
  // Published Erlang C tables.
  it.each([
    [0.5, 1, 0.5],
    [2, 3, 0.4444],
    [8, 10, 0.4092],
  ])('erlangC returns, for a load of %d on %d servers, the busy probability %d', (load, servers, busy) => {
    expect(erlangC(load, servers)).toBeCloseTo(busy, 3)
  })

  it('waitForOne and waitForAll agree for a single queue with one server', () => {
    const [one, all] = [waitForOne(50, 10, 1), waitForAll(50, 10, 1)]
    expect(all.meanMs).toBeCloseTo(one.meanMs, 9)
    expect(all.p99Ms).toBeCloseTo(one.p99Ms, 9)
  })

  it('waitForOne and waitForAll return infinite waits at full utilisation or above', () => {
    for (const wait of [waitForOne(200, 10, 2), waitForAll(100, 10, 4)])
      expect(wait).toMatchObject({ meanMs: Number.POSITIVE_INFINITY, p99Ms: Number.POSITIVE_INFINITY })
  })
})

const COSTS: Costs = {
  ramBytesAFace: 200,
  ramBaseMb: 400,
  diskBytesAFace: 50_000,
  exact: { fixedMs: 0.4, perRowMs: 8e-6 },
  indexed: { fixedMs: 1, perRowMs: 2e-6 },
  embedMs: 12,
  edgeMs: 50,
  wireBytes: 80_000,
}

const profiles = fc.record<Profile>({
  faces: fc.integer({ min: 1000, max: 1e9 }),
  galleries: fc.integer({ min: 1, max: 1000 }),
  searchesPerSecond: fc.integer({ min: 0, max: 20 }),
  postsPerSecond: fc.integer({ min: 1, max: 100 }),
  regions: fc.integer({ min: 1, max: 5 }),
})

describe('planFor', () => {
  it('plans enough CPUs, memory and shards for the load and its faces', () => {
    fc.assert(
      fc.property(profiles, profile => {
        const plan = planFor(profile, COSTS)
        expect(plan.identifyP99Ms).toBeLessThan(Number.POSITIVE_INFINITY)
        expect(plan.ramGb * 1e9).toBeGreaterThanOrEqual(profile.faces * COSTS.ramBytesAFace)
        expect((plan.shards * 2 ** 32) / COSTS.ramBytesAFace).toBeGreaterThanOrEqual(profile.faces)
        expect(plan.machines * 16).toBeGreaterThanOrEqual(plan.coreCpus)
      }),
    )
  })

  it('never plans less disk or memory for more faces', () => {
    fc.assert(
      fc.property(profiles, fc.integer({ min: 1, max: 10 }), (profile, times) => {
        // The faces per gallery stay the same: so does the size of a search.
        const more = { ...profile, faces: profile.faces * times, galleries: profile.galleries * times }
        fc.pre(more.faces <= 4e9)
        const [few, many] = [planFor(profile, COSTS), planFor(more, COSTS)]
        expect(many.diskGb).toBeGreaterThanOrEqual(few.diskGb)
        expect(many.ramGb).toBeGreaterThanOrEqual(few.ramGb)
      }),
    )
  })

  it('throws RangeError when one gallery has more searches than one copy of it can serve', () => {
    const profile = { faces: 1e9, galleries: 1, searchesPerSecond: 5000, postsPerSecond: 1, regions: 1 }
    expect(() => planFor(profile, COSTS)).toThrow(RangeError)
  })

  it('lineThrough and timeOf extrapolate two measurements linearly', () => {
    const line = lineThrough({ rows: 1e4, ms: 1 }, { rows: 1e5, ms: 1.9 })
    expect(timeOf(line, 1e4)).toBeCloseTo(1)
    expect(timeOf(line, 2e5)).toBeCloseTo(2.9)
  })
})
