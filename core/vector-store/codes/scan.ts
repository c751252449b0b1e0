/** Scores of rows against a probe by their int8 codes, with a bound on the error. */
import type { Candidate } from '../vector-store.ts'
import type { BestRecords } from './best-records.ts'
import type { Bucket } from './bucket.ts'
import { type CodeMemory, type Probe, type RecordShape, RUN_ROWS } from './int8-codes.ts'
import type { Rows } from './rows.ts'

/** Rounding error of a score: of its products, and of the lengths of the unit vectors. */
const ROUNDING_ERROR = 1e-5

/** A row with its approximate score, and an upper bound of the difference from its cosine. */
interface ScannedCandidate extends Candidate {
  readonly error: number
}

/** Result of a scan. */
export interface Scanned {
  /** Best score first. */
  readonly candidates: ScannedCandidate[]
  /** True when every omitted row is below the minimum score or in a list that the index skips. */
  readonly complete: boolean
  /** Upper bound of the approximate scores of omitted rows, except rows that cannot reach the minimum score. */
  readonly floor: number
  /** Upper bound of the errors of all rows. */
  readonly error: number
}

/** Error bound of a score for a probe p with code q and a row x with code c: |p.x - q.c| <= |p.(x - c)| + |(p - q).c|. */
export function scoreError(probe: Probe, rowResidual: number): number {
  return rowResidual + probe.residual * (1 + rowResidual) + ROUNDING_ERROR
}

/**
 * Offers all rows of these buckets with a score above `best.bar` for the memory's probe. Returns the number of all
 * rows.
 */
export function scanBuckets(
  { memory, shape }: Rows,
  buckets: Iterable<Bucket>,
  probe: Probe,
  best: BestRecords,
): number {
  let scannedRows = 0
  for (const bucket of buckets) {
    scannedRows += bucket.size
    for (const run of bucket.runs) {
      for (let from = 0; from < run.rows; from += RUN_ROWS) {
        const count = Math.min(RUN_ROWS, run.rows - from)
        offerRun(memory, shape, run.address + from * shape.stride, count, probe, best)
      }
    }
  }
  return scannedRows
}

/** Offers single records in the same way. */
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
) {
  const found = memory.scan(address, count, code, probe, best.bar)
  for (let at = memory.found; at < memory.found + 2 * found; at += 2) {
    best.offer(memory.words[at]!, memory.floats[at + 1]!)
  }
}

/** Best records of scans with a probe, best first; `greatest` is the greatest residual of a row. */
export const rankRows = (rows: Rows, best: BestRecords, probe: Probe, greatest: number): ScannedCandidate[] =>
  best.ranked().map(({ record, score }) => {
    const error = scoreError(probe, rows.memory.residualAt(record, rows.shape, greatest))
    return { id: rows.idAt(record), score, error }
  })
