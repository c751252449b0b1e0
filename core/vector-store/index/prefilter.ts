/** Binary codes of the rows of each list, and the prefilter of a scan by them. */
import { GROUP_ROWS } from '../../../wasm/kernels/kernels.ts'
import type { Bucket, RowCodes } from '../codes/bucket.ts'
import { type CodeMemory, RUN_ROWS } from '../codes/int8-codes.ts'
import type { BinaryCoder } from './binary-coder.ts'

/** Size of the largest block of groups in bytes, as a power of two; and capacity of the smallest one. */
const LARGEST_BLOCK = 18
const MIN_GROUPS = 4

/** A block of contiguous groups. */
interface Groups {
  readonly address: number
  /** Power of two of its size in bytes. */
  readonly order: number
  /** Row of the first lane, and number of lanes. */
  readonly first: number
  readonly rows: number
}

export class BinaryCodes implements RowCodes {
  readonly #memory: CodeMemory
  readonly #coder: BinaryCoder
  readonly #groups: Groups[] = []

  constructor(memory: CodeMemory, coder: BinaryCoder) {
    this.#memory = memory
    this.#coder = coder
  }

  /** All groups, in the order of their rows. Read it again after every change. */
  get runs(): readonly Groups[] {
    return this.#groups
  }

  /** Ensures a capacity of `least` rows. Grows to `expected` rows if those are more. Throws StoreUnavailable (`full`). */
  hold(least: number, expected: number): void {
    while (this.#capacity < least) {
      const { groupBytes } = this.#coder
      const missing = Math.ceil((Math.max(least, expected) - this.#capacity) / GROUP_ROWS) * groupBytes
      const smallest = Math.ceil(Math.log2(MIN_GROUPS * groupBytes))
      const order = Math.max(smallest, Math.min(LARGEST_BLOCK, Math.floor(Math.log2(missing))))
      const rows = Math.floor(2 ** order / groupBytes) * GROUP_ROWS
      this.#groups.push({ address: this.#memory.take(order), order, first: this.#capacity, rows })
    }
  }

  /** Writes the binary code of a row from its record. */
  write(row: number, record: number): void {
    const { group, lane } = this.#place(row)
    this.#coder.write(record, group, lane)
  }

  /** Overwrites the binary code of the last row, `row`, with zeros, and releases the groups that no earlier row needs. */
  removeLast(row: number): void {
    const { group, lane } = this.#place(row)
    this.#coder.clear(group, lane)
    while (this.#groups.length > 0 && this.#groups.at(-1)!.first >= row) {
      this.#release(this.#groups.pop()!)
    }
  }

  /** Releases all memory. */
  clear(): void {
    for (const groups of this.#groups) this.#release(groups)
    this.#groups.length = 0
  }

  #release({ address, order }: Groups) {
    this.#memory.give(address, order)
  }

  get #capacity(): number {
    const last = this.#groups.at(-1)
    return last ? last.first + last.rows : 0
  }

  #place(row: number): { group: number; lane: number } {
    const { address, first } = this.#groups.findLast(groups => groups.first <= row)!
    const number = Math.floor((row - first) / GROUP_ROWS)
    return {
      group: address + number * this.#coder.groupBytes,
      lane: (row - first) % GROUP_ROWS,
    }
  }
}

/** Width of a histogram bin in units of 16-bit scores. The error of a binary code is about a hundred times larger. */
const BIN_WIDTH = 16
const MIN_SCORE = -(2 ** 15)
const BINS = 2 ** 16 / BIN_WIDTH

/** Rows of one list, and their binary codes in the same order. */
export interface List {
  readonly bucket: Bucket
  readonly codes: BinaryCodes
}

/**
 * Addresses of the records with the best binary codes for the coder's probe, in bucket order: `wanted` records, and
 * those in the bin of the last one.
 */
export function prefilter(
  memory: CodeMemory,
  coder: BinaryCoder,
  lists: readonly List[],
  wanted: number,
): Uint32Array {
  const kept = new ScoreHistogram(wanted)
  for (const [number, { bucket, codes }] of lists.entries()) {
    for (const { address, first, rows } of codes.runs) {
      const last = Math.min(rows, bucket.size - first)
      for (let from = 0; from < last; from += RUN_ROWS) {
        const group = address + (from / GROUP_ROWS) * coder.groupBytes
        const found = coder.prefilter(group, Math.min(RUN_ROWS, last - from), kept.bar)
        for (let at = memory.found; at < memory.found + 2 * found; at += 2) {
          kept.offer(number, first + from + memory.words[at]!, memory.words[at + 1]! | 0)
        }
        kept.raiseBar()
      }
    }
  }
  return kept.records(lists.map(({ bucket }) => bucket))
}

/**
 * Records in bins of similar scores, which are counted instead of compared. Seven of eight records are dropped again,
 * so their addresses are looked up at the end.
 */
class ScoreHistogram {
  readonly #wanted: number
  /** Number of records in each bin. */
  readonly #counts = new Uint32Array(BINS)
  /** Per record: index of its bucket, its number in the bucket, its bin. */
  #buckets: Uint32Array
  #records: Uint32Array
  #bins: Uint16Array
  #offered = 0
  /** Lowest bin that is kept, and number of the kept records. */
  #lowest = 0
  #kept = 0

  constructor(wanted: number) {
    this.#wanted = wanted
    this.#buckets = new Uint32Array(8 * wanted + RUN_ROWS)
    this.#records = new Uint32Array(this.#buckets.length)
    this.#bins = new Uint16Array(this.#buckets.length)
  }

  /** Only higher scores need to be offered. */
  get bar(): number {
    const full = this.#kept >= this.#wanted ? 1 : 0
    return Math.max(MIN_SCORE, MIN_SCORE + (this.#lowest + full) * BIN_WIDTH - 1)
  }

  offer(bucket: number, record: number, score: number): void {
    const bin = Math.floor((score - MIN_SCORE) / BIN_WIDTH)
    if (this.#offered === this.#records.length) this.#grow()
    this.#buckets[this.#offered] = bucket
    this.#records[this.#offered] = record
    this.#bins[this.#offered++] = bin
    this.#counts[bin]!++
    this.#kept++
  }

  /** Drops bins that are no longer needed. */
  raiseBar(): void {
    while (this.#kept - this.#counts[this.#lowest]! >= this.#wanted)
      this.#kept -= this.#counts[this.#lowest++]!
  }

  /** Addresses of the kept records. */
  records(buckets: readonly Bucket[]): Uint32Array {
    const addresses = new Uint32Array(this.#kept)
    let kept = 0
    for (let at = 0; at < this.#offered; at++) {
      if (this.#bins[at]! < this.#lowest) continue
      addresses[kept++] = buckets[this.#buckets[at]!]!.recordAt(this.#records[at]!)
    }
    return addresses
  }

  #grow() {
    this.#buckets = grown(this.#buckets, new Uint32Array(2 * this.#offered))
    this.#records = grown(this.#records, new Uint32Array(2 * this.#offered))
    this.#bins = grown(this.#bins, new Uint16Array(2 * this.#offered))
  }
}

function grown<Numbers extends Uint32Array | Uint16Array>(numbers: Numbers, target: Numbers): Numbers {
  target.set(numbers)
  return target
}
