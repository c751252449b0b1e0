/** The first look at the lists of an index: the rows whose sketches score best, as many as are worth a second. */
import { GROUP_ROWS } from '../../../wasm/kernels/sketch.ts'
import type { Bucket } from './bucket.ts'
import { type CodeMemory, RUN_ROWS } from './code-memory.ts'
import type { Sketching } from './sketching.ts'

/** Scores of 16 bits are told apart by so many steps: a sketch is some hundred times as far off. */
const SCORES_OF_A_BIN = 16
const LEAST_SCORE = -(2 ** 15)
const BINS = 2 ** 16 / SCORES_OF_A_BIN

/**
 * Addresses of the records whose sketches score best for the sketching's probe, in the order of the buckets: `wanted`
 * ones, and those of about the same score as the last.
 */
export function sieve(
  memory: CodeMemory,
  sketching: Sketching,
  buckets: readonly Bucket[],
  wanted: number,
): Uint32Array {
  const kept = new BestSketches(wanted)
  for (const bucket of buckets) {
    for (const { address, first, rows } of bucket.sketches!.runs) {
      const last = Math.min(rows, bucket.size - first)
      for (let from = 0; from < last; from += RUN_ROWS) {
        const group = address + (from / GROUP_ROWS) * sketching.groupBytes
        const found = sketching.sieve(group, Math.min(RUN_ROWS, last - from), kept.bar)
        for (let at = memory.found; at < memory.found + 2 * found; at += 2) {
          const record = bucket.recordAt(first + from + memory.words[at]!)
          kept.offer(record, memory.words[at + 1]! | 0)
        }
        kept.raiseBar()
      }
    }
  }
  return kept.records()
}

/** Records by scores that are told apart coarsely: then their number is kept without comparing them. */
class BestSketches {
  readonly #wanted: number
  /** How many records there are of each bin. */
  readonly #counts = new Uint32Array(BINS)
  #records: Uint32Array
  #bins: Uint16Array
  #offered = 0
  /** The lowest bin that is kept, and the records of it and those above. */
  #lowest = 0
  #kept = 0

  constructor(wanted: number) {
    this.#wanted = wanted
    this.#records = new Uint32Array(8 * wanted + RUN_ROWS)
    this.#bins = new Uint16Array(this.#records.length)
  }

  /** Only scores above it are worth an offer. */
  get bar(): number {
    const full = this.#kept >= this.#wanted ? 1 : 0
    return Math.max(LEAST_SCORE, LEAST_SCORE + (this.#lowest + full) * SCORES_OF_A_BIN - 1)
  }

  offer(record: number, score: number): void {
    const bin = Math.floor((score - LEAST_SCORE) / SCORES_OF_A_BIN)
    if (this.#offered === this.#records.length) this.#grow()
    this.#records[this.#offered] = record
    this.#bins[this.#offered++] = bin
    this.#counts[bin]!++
    this.#kept++
  }

  /** Gives bins up that are no longer needed. */
  raiseBar(): void {
    while (this.#kept - this.#counts[this.#lowest]! >= this.#wanted)
      this.#kept -= this.#counts[this.#lowest++]!
  }

  records(): Uint32Array {
    return this.#records.subarray(0, this.#offered).filter((_, at) => this.#bins[at]! >= this.#lowest)
  }

  #grow(): void {
    const [records, bins] = [this.#records, this.#bins]
    this.#records = new Uint32Array(2 * records.length)
    this.#bins = new Uint16Array(2 * records.length)
    this.#records.set(records)
    this.#bins.set(bins)
  }
}
