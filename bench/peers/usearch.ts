/** usearch: a graph (HNSW) over 8-bit values, whose best candidates are compared exactly. */
import { availableParallelism } from 'node:os'
import { Index, MetricKind, ScalarKind } from 'usearch'
import { BestCandidates } from '../../core/vector-store/best.ts'
import { dot } from '../../core/vector-store/unit-vector.ts'
import { progress } from '../benchmark.ts'
import { type Contestant, type HeldFaces, LIMIT, type Made, type Peer, timed } from '../vectors/contestant.ts'

/** Neighbours of a node, unless others are asked for. */
export const CONNECTIVITIES = '16,32'

/** Candidates that a search keeps in mind. */
const EXPANSIONS = [64, 128, 256, 384, 512, 768, 1024, 2048]

/** Candidates that are compared exactly: its own scores are off by up to 0.02. */
const COMPARED = 50

/** Rows that are added by one call: then progress can be said. */
const AT_ONCE = 50_000

export async function openUsearch(held: HeldFaces, connectivities: readonly number[]): Promise<Peer> {
  const contestants: Contestant[] = []
  for (const connectivity of connectivities) {
    const index = new Index({
      dimensions: held.dimension,
      metric: MetricKind.Cos,
      quantization: ScalarKind.I8,
      connectivity,
      expansion_add: 0,
      expansion_search: 0,
      multi: false,
    })
    const made = await timed(() => fill(index, held, connectivity))
    for (const expansion of EXPANSIONS)
      contestants.push(contestant(index, held, made, connectivity, expansion))
  }
  return { contestants }
}

function fill(index: Index, { rows, dimension, count }: HeldFaces, connectivity: number): void {
  for (let from = 0; from < count; from += AT_ONCE) {
    const to = Math.min(from + AT_ONCE, count)
    const keys = BigUint64Array.from({ length: to - from }, (_, i) => BigInt(from + i))
    // A copy: not all of its functions heed where a part of an array begins.
    index.add(keys, rows.slice(from * dimension, to * dimension), availableParallelism())
    progress(`  usearch M ${connectivity}: ${to} of ${count}`)
  }
}

const contestant = (
  index: Index,
  { rows, dimension }: HeldFaces,
  made: Made,
  connectivity: number,
  expansion: number,
): Contestant => ({
  name: `usearch M ${connectivity} ef ${expansion}`,
  made,
  search(probe) {
    // It keeps as many in mind as are asked for, when that is more than it was opened with.
    const { keys } = index.search(probe, expansion, 1)
    const best = new BestCandidates({ limit: LIMIT, minScore: -1 })
    for (const key of keys.subarray(0, COMPARED)) {
      const row = Number(key)
      best.offer(row, dot(probe, rows, row * dimension))
    }
    return best.ranked().map(({ id }) => id)
  },
})
