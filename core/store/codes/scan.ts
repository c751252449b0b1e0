/** Scores of rows against a probe by their codes: near the cosine, and never further from it than is said. */
import { BestRecords } from './best-records.ts'
import type { Bucket } from './bucket.ts'
import { type Probe, RUN_ROWS } from './code-memory.ts'
import type { Rows } from './rows.ts'

/** What rounding adds to the error of a score: of its own products, and of the unit vectors' lengths. */
const ROUNDING = 1e-5

/** A row that a scan found. The score is approximate. */
export interface ScannedCandidate {
  readonly id: number
  readonly score: number
}

/** What a scan found, best first. */
export interface Scanned {
  readonly candidates: ScannedCandidate[]
  /** Whether nothing was left out of what was looked at, but what cannot reach the least score. */
  readonly complete: boolean
  /** No row that was left out has an approximate score above it, unless it cannot reach the least score. */
  readonly floor: number
  /** No row's approximate score is further than this from its cosine. */
  readonly error: number
}

/** The greatest error of a score, of lengths that coding took away: |p.x - q.c| <= |p.(x - c)| + |(p - q).c|. */
export function scoreError(probe: Probe, rowResidual: number): number {
  return rowResidual + probe.residual * (1 + rowResidual) + ROUNDING
}

/**
 * The best `wanted` rows of these buckets for the memory's probe. Rows whose cosine cannot reach `minScore`, given the
 * error, are passed over.
 */
export function scanBuckets(
  rows: Rows,
  buckets: Iterable<Bucket>,
  probe: Probe,
  { wanted, minScore, error }: { wanted: number; minScore: number; error: number },
): Scanned {
  const { memory, shape } = rows
  const best = new BestRecords(Math.min(wanted, rows.size), minScore - error)
  let looked = 0
  for (const bucket of buckets) {
    looked += bucket.size
    for (const run of bucket.runs) {
      for (let from = 0; from < run.rows; from += RUN_ROWS) {
        const count = Math.min(RUN_ROWS, run.rows - from)
        const found = memory.scan(run.address + from * shape.stride, count, shape.code, probe, best.bar)
        for (let at = memory.found; at < memory.found + 2 * found; at += 2) {
          best.offer(memory.words[at]!, memory.floats[at + 1]!)
        }
      }
    }
  }
  const candidates = best.ranked().map(({ record, score }) => ({ id: rows.idAt(record), score }))
  const complete = !best.full || best.size === looked
  return { candidates, complete, floor: complete ? Number.NEGATIVE_INFINITY : best.bar, error }
}
