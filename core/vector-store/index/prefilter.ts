/** The first look at the lists of an index: the rows whose sketches score best, as many as are worth a second. */
import { GROUP_ROWS } from '../../../wasm/kernels/sketch.ts'
import type { Bucket } from '../codes/bucket.ts'
import { type CodeMemory, RUN_ROWS } from '../codes/code-memory.ts'
import type { BinaryCoder } from './binary-coding.ts'

/** Scores of 16 bits are told apart by so many steps: a sketch is some hundred times as far off. */
const SCORES_OF_A_BIN = 16
const MIN_SCORE = -(2 ** 15)
const BINS = 2 ** 16 / SCORES_OF_A_BIN

/**
 * Addresses of the records whose sketches score best for the sketching's probe, in the order of the buckets: `wanted`
 * ones, and those of about the same score as the last.
 */
export function prefilter(
  memory: CodeMemory,
  sketching: BinaryCoder,
  buckets: readonly Bucket[],
  wanted: number,
): Uint32Array {
  const kept = new BestSketches(wanted)
  for (const [number, bucket] of buckets.entries()) {
    for (const { address, first, rows } of bucket.sketches!.runs) {
      const last = Math.min(rows, bucket.size - first)
      for (let from = 0; from < last; from += RUN_ROWS) {
        const group = address + (from / GROUP_ROWS) * sketching.groupBytes
        const found = sketching.sieve(group, Math.min(RUN_ROWS, last - from), kept.bar)
        for (let at = memory.found; at < memory.found + 2 * found; at += 2) {
          kept.offer(number, first + from + memory.words[at]!, memory.words[at + 1]! | 0)
        }
        kept.raiseBar()
      }
    }
  }
  return kept.records(buckets)
}

/**
 * Records by scores that are told apart coarsely: then their number is kept without comparing them. Seven in eight are given
 * up again, so where each lies is looked for at the end.
 */
class BestSketches {
  readonly #wanted: number
  /** How many records there are of each bin. */
  readonly #counts = new Uint32Array(BINS)
  /** Of each record: the number of its bucket, its number therein, its bin. */
  #buckets: Uint32Array
  #records: Uint32Array
  #bins: Uint16Array
  #offered = 0
  /** The lowest bin that is kept, and the records of it and those above. */
  #lowest = 0
  #kept = 0

  constructor(wanted: number) {
    this.#wanted = wanted
    this.#buckets = new Uint32Array(8 * wanted + RUN_ROWS)
    this.#records = new Uint32Array(this.#buckets.length)
    this.#bins = new Uint16Array(this.#buckets.length)
  }

  /** Only scores above it are worth an offer. */
  get bar(): number {
    const full = this.#kept >= this.#wanted ? 1 : 0
    return Math.max(MIN_SCORE, MIN_SCORE + (this.#lowest + full) * SCORES_OF_A_BIN - 1)
  }

  offer(bucket: number, record: number, score: number): void {
    const bin = Math.floor((score - MIN_SCORE) / SCORES_OF_A_BIN)
    if (this.#offered === this.#records.length) this.#grow()
    this.#buckets[this.#offered] = bucket
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

  /** The addresses of what is kept. */
  records(buckets: readonly Bucket[]): Uint32Array {
    const addresses = new Uint32Array(this.#kept)
    let kept = 0
    for (let at = 0; at < this.#offered; at++) {
      if (this.#bins[at]! < this.#lowest) continue
      addresses[kept++] = buckets[this.#buckets[at]!]!.recordAt(this.#records[at]!)
    }
    return addresses
  }

  #grow(): void {
    this.#buckets = grown(this.#buckets, new Uint32Array(2 * this.#offered))
    this.#records = grown(this.#records, new Uint32Array(2 * this.#offered))
    this.#bins = grown(this.#bins, new Uint16Array(2 * this.#offered))
  }
}

function grown<Numbers extends Uint32Array | Uint16Array>(numbers: Numbers, room: Numbers): Numbers {
  room.set(numbers)
  return room
}
