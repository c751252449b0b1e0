/** Exact search through codes: ties by id, and vectors that are gone. */

import { exactBest, MOST_COMPARED } from '#core/vector-store/codes/exact-best.ts'
import { times } from '#test/support/times.ts'

describe('exactBest', () => {
  const unit = Float32Array.of(1, 0)
  const vectors = new Map([
    [5, Float32Array.of(0.8, 0.6)],
    [9, Float32Array.of(0.8, 0.6)],
    [2, Float32Array.of(0.8, -0.6)],
    [7, Float32Array.of(0, 1)],
  ])
  const read = (ids: readonly number[]) => ids.map(id => vectors.get(id))
  const ranked = [5, 9, 2, 7].map(id => ({ id, score: id === 7 ? 0 : 0.8, error: 0.01 }))

  it('continues while an unseen row could be a tie with a lower id', () => {
    const asked: number[] = []
    const least: number[] = []
    const scan = (wanted: number, minScore: number) => {
      asked.push(wanted)
      least.push(minScore)
      const complete = asked.length > 1
      const floor = complete ? Number.NEGATIVE_INFINITY : Math.fround(0.8)
      return { candidates: complete ? ranked : ranked.slice(0, 2), complete, floor, error: 1e-6 }
    }
    expect(exactBest(unit, { limit: 1, minScore: -1 }, scan, read).map(({ id }) => id)).toEqual([2])
    expect(asked).toHaveLength(2)
    expect(asked[1]).toBeGreaterThan(asked[0]!)
    // Rows that cannot be among the best are not collected again.
    expect(least).toEqual([-1, Math.fround(0.8)])
  })

  it('compares a bounded number of rows with one score', () => {
    const copies = times(50_000, id => ({ id, score: 0.8, error: 0.01 }))
    let reads = 0
    const scan = (wanted: number) => ({
      candidates: copies.slice(0, wanted),
      complete: wanted >= copies.length,
      floor: 0.8,
      error: 0.01,
    })
    const found = exactBest(unit, { limit: 3, minScore: -1 }, scan, ids => {
      reads += ids.length
      return ids.map(() => Float32Array.of(0.8, 0.6))
    })
    expect(found.map(({ id }) => id)).toEqual([0, 1, 2])
    expect(reads).toBeLessThan(2 * MOST_COMPARED)
  })

  it('skips a vector that is gone', () => {
    const scan = () => ({ candidates: ranked, complete: true, floor: Number.NEGATIVE_INFINITY, error: 0.01 })
    const found = exactBest(unit, { limit: 3, minScore: 0.5 }, scan, ids =>
      read(ids).map((v, i) => (ids[i] === 9 ? undefined : v)),
    )
    expect(found.map(({ id }) => id)).toEqual([2, 5])
  })
})
