/** Copies of a gallery's codes, small enough to be sent to the thread that makes its index. */
import type { Run } from './bucket.ts'
import { STEP } from './record.ts'
import type { Rows } from './rows.ts'

/** Rows by their ids. */
export interface CodeSlice {
  readonly ids: Float64Array
  /** Codes of the rows, one behind the other: ROW_LEVELS steps around ROW_ZERO, filled up to CODE_ALIGNMENT. */
  readonly codes: Uint8Array
  /** Length of each row's step. */
  readonly scales: Float32Array
}

/** Slices of what is not `linear`. A row that fills a gap moves to the front, so that none comes twice. */
export function* slices(rows: Rows, atOnce: number): Generator<CodeSlice> {
  for (const bucket of [...rows.buckets()]) {
    for (let from = 0; bucket.space !== 'linear' && from < bucket.size; from += atOnce) {
      yield copied(rows, bucket.runs(from), Math.min(atOnce, bucket.size - from))
    }
  }
}

function copied(rows: Rows, runs: Iterable<Run>, count: number): CodeSlice {
  const { memory, shape } = rows
  const ids = new Float64Array(count)
  const codes = new Uint8Array(count * shape.code)
  const scales = new Float32Array(count)
  let at = 0
  for (const run of runs) {
    for (let row = 0; row < run.rows && at < count; row++, at++) {
      const address = run.address + row * shape.stride
      codes.set(memory.bytes.subarray(address, address + shape.code), at * shape.code)
      scales[at] = memory.floats[(address + shape.code + STEP) / 4]!
      ids[at] = rows.idAt(address)
    }
    if (at === count) break
  }
  return { ids, codes, scales }
}
