/** Exact reference in plain JavaScript: compares every row, with four partial sums. */
import { BestCandidates } from '#core/vector-store/best-candidates.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import { type HeldFaces, LIMIT, type Peer } from '../vectors/contestant.ts'

/** Takes part in every tenth round only: it is slow, and its results are exact by definition. */
const EVERY = 10

export const openPlainScan = ({ rows, dimension, count }: HeldFaces): Peer => ({
  contestants: [
    {
      name: 'plain JS',
      every: EVERY,
      search(probe) {
        const best = new BestCandidates({ limit: LIMIT, minScore: -1 })
        let { bar } = best
        for (let row = 0; row < count; row++) {
          const score = dot(probe, rows, row * dimension)
          if (score < bar) continue
          best.offer(row, score)
          bar = best.bar
        }
        return best.ranked().map(({ id }) => id)
      },
    },
  ],
})
