/** Copies of a gallery's codes, small enough to send to the thread that builds its index. */
import type { Bucket } from '../codes/bucket.ts'
import { STEP_AT } from '../codes/int8-codes.ts'
import type { Rows } from '../codes/rows.ts'

/** Ids and codes of some rows. */
export interface CodeSlice {
  readonly ids: Float64Array
  /** Contiguous codes of the rows: -ROW_LEVELS..ROW_LEVELS steps around ROW_ZERO, padded to CODE_ALIGNMENT. */
  readonly codes: Uint8Array
  /** Length of each row's step. */
  readonly scales: Float32Array
}

/**
 * Slices of the rows that are not `linear`, or of every `every`-th one. A row that fills a gap moves to the front,
 * which prevents duplicates.
 */
export function* slices(rows: Rows, atOnce: number, every: number): Generator<CodeSlice> {
  for (const bucket of [...rows.buckets()]) {
    for (let from = 0; bucket.space !== 'linear' && from < bucket.size; from += atOnce * every) {
      yield copied(rows, bucket, from, Math.min(atOnce, Math.ceil((bucket.size - from) / every)), every)
    }
  }
}

/** Copies `count` rows, every `every`-th one from number `from` on. */
function copied(rows: Rows, bucket: Bucket, from: number, count: number, every: number): CodeSlice {
  const { memory, shape } = rows
  const ids = new Float64Array(count)
  const codes = new Uint8Array(count * shape.code)
  const scales = new Float32Array(count)
  let at = 0
  let next = from
  for (const run of bucket.runs) {
    for (; next < run.rows && at < count; next += every, at++) {
      const address = run.address + next * shape.stride
      codes.set(memory.bytes.subarray(address, address + shape.code), at * shape.code)
      scales[at] = memory.floats[(address + shape.code + STEP_AT) / 4]!
      ids[at] = rows.idAt(address)
    }
    next -= run.rows
  }
  return { ids, codes, scales }
}
