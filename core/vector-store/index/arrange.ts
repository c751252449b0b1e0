/** Moves rows into the lists of a new index, a few at a time. */
import { ROW_ZERO } from '../../../wasm/kernels/kernels.ts'
import { STEP_AT } from '../codes/int8-codes.ts'
import type { Rows } from '../codes/rows.ts'
import type { InvertedFile } from './inverted-file.ts'

/** List number of each id. Ids are unique. */
export interface Assignment {
  readonly ids: Float64Array
  readonly lists: Uint32Array
}

/** Rows that one step sorts, moves or ranks, in about a millisecond. */
const SORTED_AT_ONCE = 65_536
const MOVED_AT_ONCE = 512
const RANKED_AT_ONCE = 32

/** Moves some rows that are not `linear` per step. After the last step, only `linear` rows are outside of the index. */
export function* arrange(rows: Rows, index: InvertedFile, assignment: Assignment): Generator<void> {
  // In the order of the lists: each list then gets contiguous memory, and reuses the memory of moved rows.
  const order = yield* byList(index, assignment)
  let moved = 0
  for (const at of order) {
    const address = rows.find(assignment.ids[at]!)
    if (address === undefined || rows.bucketAt(address).space === 'linear') continue
    rows.move(address, index.buckets[assignment.lists[at]!]!)
    if (++moved % MOVED_AT_ONCE === 0) yield
  }
  yield* placeRest(rows, index)
}

/** Positions of an assignment in the order of its lists. Also sets the expected size of each bucket. */
function* byList(index: InvertedFile, { lists }: Assignment): Generator<void, Uint32Array> {
  const ends = new Uint32Array(index.buckets.length + 1)
  for (let from = 0; from < lists.length; from += SORTED_AT_ONCE) {
    for (const list of lists.subarray(from, from + SORTED_AT_ONCE)) ends[list + 1]!++
    yield
  }
  index.expectRows(ends.subarray(1))
  for (let list = 1; list < ends.length; list++) ends[list]! += ends[list - 1]!
  const order = new Uint32Array(lists.length)
  for (let at = 0; at < lists.length; at++) {
    order[ends[lists[at]!]!++] = at
    if (at % SORTED_AT_ONCE === SORTED_AT_ONCE - 1) yield
  }
  return order
}

/** Places the few rows without an assignment, which moved while the slices were copied. */
function* placeRest(rows: Rows, index: InvertedFile): Generator<void> {
  const listed = new Set(index.buckets)
  let placed = 0
  for (const bucket of rows.buckets()) {
    if (bucket.space === 'linear' || listed.has(bucket)) continue
    while (bucket.size > 0) {
      rows.memory.probe(decodeVector(rows, bucket.last))
      rows.move(bucket.last, index.bucketForProbe())
      if (++placed % RANKED_AT_ONCE === 0) yield
    }
    rows.close(bucket)
  }
}

/** Decodes the vector of a record. */
function decodeVector({ memory, shape }: Rows, address: number): Float32Array {
  const step = memory.floats[(address + shape.code + STEP_AT) / 4]!
  return Float32Array.from(
    memory.bytes.subarray(address, address + shape.code),
    code => (code - ROW_ZERO) * step,
  )
}
