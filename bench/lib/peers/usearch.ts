/** usearch: an HNSW graph over 8-bit values. Its best candidates are reranked exactly. */
import { availableParallelism } from 'node:os'
import { Index, MetricKind, ScalarKind } from 'usearch'
import { BestCandidates } from '#core/vector-store/best-candidates.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import { progress } from '../../benchmark.ts'
import { type Contestant, costOf, type HeldFaces, LIMIT } from '../vectors/contestants.ts'

/** Candidate list sizes of a search. */
const EXPANSIONS = [64, 128, 256, 384, 512, 768, 1024, 2048]

/** Candidates that are reranked exactly: usearch's own scores are off by up to 0.02. */
const COMPARED = 50

/** Rows added per call, to report progress between calls. */
const AT_ONCE = 50_000

/** A contestant for each connectivity of the graph and each candidate list size. */
export async function openUsearch(held: HeldFaces, connectivities: readonly number[]): Promise<Contestant[]> {
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
    const made = await costOf(() => fill(index, held, connectivity))
    for (const expansion of EXPANSIONS)
      contestants.push({
        name: `usearch M ${connectivity} ef ${expansion}`,
        made,
        search: probe => closest(index, held, probe, expansion),
      })
  }
  return contestants
}

function fill(index: Index, { rows, dimension, count }: HeldFaces, connectivity: number): void {
  for (let from = 0; from < count; from += AT_ONCE) {
    const to = Math.min(from + AT_ONCE, count)
    const keys = BigUint64Array.from({ length: to - from }, (_, i) => BigInt(from + i))
    // A copy: some functions of usearch ignore the offset of a subarray.
    index.add(keys, rows.slice(from * dimension, to * dimension), availableParallelism())
    progress(`usearch M ${connectivity}: ${to} of ${count}`)
  }
}

function closest(
  index: Index,
  { rows, dimension }: HeldFaces,
  probe: Float32Array,
  expansion: number,
): number[] {
  // The candidate list is as long as the requested count when that exceeds the configured size.
  const { keys } = index.search(probe, expansion, 1)
  const best = new BestCandidates({ limit: LIMIT, minScore: -1 })
  for (const key of keys.subarray(0, COMPARED)) {
    const row = Number(key)
    best.offer(row, dot(probe, rows, row * dimension))
  }
  return best.ranked().map(({ id }) => id)
}
