/** Scores of rows against a probe by their codes: near the cosine, and never further from it than is said. */
import type { BestRecords } from './best-records.ts'
import type { Bucket } from './bucket.ts'
import { type CodeMemory, type Probe, RUN_ROWS } from './code-memory.ts'
import type { RecordShape } from './record.ts'
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
  /** Whether nothing was left out but what cannot reach the least score, and what an index passes over. */
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

/** Offers all rows of these buckets that are above its bar, by their scores for the memory's probe. Returns how many there are. */
export function scanBuckets(
  { memory, shape }: Rows,
  buckets: Iterable<Bucket>,
  probe: Probe,
  best: BestRecords,
): number {
  let looked = 0
  for (const bucket of buckets) {
    looked += bucket.size
    for (const run of bucket.runs) {
      for (let from = 0; from < run.rows; from += RUN_ROWS) {
        const count = Math.min(RUN_ROWS, run.rows - from)
        offerRun(memory, shape, run.address + from * shape.stride, count, probe, best)
      }
    }
  }
  return looked
}

/** The same of single records. */
export function scanRecords(
  { memory, shape }: Rows,
  records: Uint32Array,
  probe: Probe,
  best: BestRecords,
): void {
  for (const record of records) offerRun(memory, shape, record, 1, probe, best)
}

function offerRun(
  memory: CodeMemory,
  { code }: RecordShape,
  address: number,
  count: number,
  probe: Probe,
  best: BestRecords,
): void {
  const found = memory.scan(address, count, code, probe, best.bar)
  for (let at = memory.found; at < memory.found + 2 * found; at += 2) {
    best.offer(memory.words[at]!, memory.floats[at + 1]!)
  }
}

/** What came of scans with scores no further off than `error`, of which `best` holds the best. */
export function scannedBest(rows: Rows, best: BestRecords, complete: boolean, error: number): Scanned {
  const candidates = best.ranked().map(({ record, score }) => ({ id: rows.idAt(record), score }))
  return { candidates, complete, floor: complete ? Number.NEGATIVE_INFINITY : best.bar, error }
}
