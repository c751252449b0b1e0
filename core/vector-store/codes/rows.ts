/** Rows of one gallery: records in its buckets, found by id. */
import type { Space } from '../vector-store.ts'
import { Bucket } from './bucket.ts'
import { IdTable } from './id-table.ts'
import {
  BUCKET_NUMBERS,
  type Coded,
  type CodeMemory,
  ID,
  type RecordShape,
  recordShape,
} from './int8-codes.ts'

export class Rows {
  readonly memory: CodeMemory
  readonly shape: RecordShape
  readonly #buckets = new Map<number, Bucket>()
  #table = new IdTable(address => this.idAt(address))
  #lastNumber = -1
  size = 0

  constructor(memory: CodeMemory, dimension: number) {
    this.memory = memory
    this.shape = recordShape(dimension)
  }

  /** Opens a new, empty bucket. */
  open(space: Space): Bucket {
    do this.#lastNumber = (this.#lastNumber + 1) % BUCKET_NUMBERS
    while (this.#buckets.has(this.#lastNumber))
    const bucket = new Bucket(this.memory, this.shape, this.#lastNumber, space)
    this.#buckets.set(bucket.number, bucket)
    return bucket
  }

  /** Removes a bucket, which must be empty. */
  close(bucket: Bucket): void {
    this.#buckets.delete(bucket.number)
  }

  /** All buckets, in the order of their opening. */
  buckets(): MapIterator<Bucket> {
    return this.#buckets.values()
  }

  idAt(address: number): number {
    return this.memory.doubles[(address + this.shape.code + ID) / 8]!
  }

  bucketAt(address: number): Bucket {
    return this.#buckets.get(this.memory.bucketAt(address, this.shape))!
  }

  /** Address of the record of an id; undefined when there is none. */
  find(id: number): number | undefined {
    return this.#table.find(id)
  }

  /** Encodes a unit vector into a bucket under a new id. Throws StoreUnavailable (`full`) without a change. */
  add(id: number, unit: Float32Array, bucket: Bucket): Coded {
    const address = bucket.append()
    const coded = this.memory.code(unit, address)
    this.memory.doubles[(address + this.shape.code + ID) / 8] = id
    bucket.updateCodes(address)
    this.size++
    this.#table.add(id, address)
    return coded
  }

  remove(address: number): void {
    this.#table.remove(this.idAt(address))
    this.#vacate(address)
    this.size--
  }

  /** Moves a record to the end of another bucket. Throws StoreUnavailable (`full`) without a change. */
  move(address: number, bucket: Bucket): void {
    const to = bucket.append()
    this.#copy(address, to)
    this.memory.setBucket(to, this.shape, bucket.number)
    bucket.updateCodes(to)
    this.#table.move(this.idAt(address), to)
    this.#vacate(address)
  }

  /** Releases all memory. */
  clear(): void {
    for (const bucket of this.#buckets.values()) bucket.clear()
    this.#buckets.clear()
    this.#table = new IdTable(address => this.idAt(address))
    this.size = 0
  }

  /** Moves the last record of a bucket into the place of a record that is no longer needed. */
  #vacate(address: number): void {
    const bucket = this.bucketAt(address)
    const { last } = bucket
    if (last !== address) {
      this.#table.move(this.idAt(last), address)
      this.#copy(last, address)
      bucket.updateCodes(address)
    }
    bucket.removeLast()
  }

  #copy(from: number, to: number): void {
    this.memory.bytes.copyWithin(to, from, from + this.shape.stride)
  }
}
