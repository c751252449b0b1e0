/** Writes to a database: operations that arrive together share a transaction, and each gets its own response. */
import type { Work } from '../shard/shard-batch.ts'
import type { VectorEntry, VectorKey } from '../vector-store.ts'
import type { Connections } from './connections.ts'
import { type GalleryRecord, removeEmpty } from './galleries.ts'
import { keysOf, type Written, writeWorks } from './write-works.ts'

/** Vectors per transaction, unless a single call has more. */
const AT_ONCE = 1_000

export interface WriterSettings {
  /** Called with galleries that have new vectors. */
  onAdded(connections: Connections, galleries: readonly GalleryRecord[]): void
  /** Called with partitions that no gallery uses any more. */
  onLeft(connections: Connections, places: readonly number[]): void
}

export class PostgresWriter {
  readonly #connections: () => Promise<Connections>
  readonly #settings: WriterSettings
  readonly #waiting: Work[] = []
  #writing: Promise<void> | undefined

  constructor(connections: () => Promise<Connections>, settings: WriterSettings) {
    this.#connections = connections
    this.#settings = settings
  }

  add(entries: readonly VectorEntry[]): Promise<void> {
    return new Promise((resolve, reject) => this.#queue({ verb: 'add', entries, resolve, reject }))
  }

  remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    return new Promise((resolve, reject) => this.#queue({ verb: 'remove', keys, resolve, reject }))
  }

  /** Resolves when all queued operations have a response. */
  async close(): Promise<void> {
    await this.#writing
  }

  /**
   * Operations of one turn of the event loop, and those that arrive during the previous transaction, are written
   * together.
   */
  #queue(work: Work): void {
    this.#waiting.push(work)
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const operations = this.#nextBatch()
      try {
        await this.#write(operations)
      } catch (error) {
        for (const work of operations) work.reject(error as Error)
      }
    }
    // Synchronous after the last check: an operation that was queued in between would never be written.
    this.#writing = undefined
  }

  #nextBatch(): Work[] {
    const operations: Work[] = []
    for (let keys = 0; this.#waiting[0]; ) {
      keys += keysOf(this.#waiting[0]).length
      if (operations.length > 0 && keys > AT_ONCE) break
      operations.push(this.#waiting.shift()!)
    }
    return operations
  }

  async #write(operations: readonly Work[]): Promise<void> {
    const connections = await this.#connections()
    // Operations that an attempt refuses have a response, and are not part of a retry.
    let open = operations
    const { additions, removals, left, galleries } = await connections.write(async sql => {
      const written: Written = await writeWorks(sql, open, remaining => {
        open = remaining
      })
      return written
    })
    for (const { work } of additions) work.resolve()
    for (const { work, known } of removals) work.resolve(known)
    this.#waiting.unshift(...left)
    const added = new Set(additions.flatMap(({ work }) => work.entries.map(({ gallery }) => gallery)))
    this.#settings.onAdded(
      connections,
      galleries.filter(({ name }) => added.has(name)),
    )
    const empty = galleries.filter(({ vectors }) => vectors === 0).map(({ number }) => number)
    if (empty.length === 0) return
    // Readers ignore a gallery without vectors. If its removal fails, the next writer of its name removes it.
    const places = await connections.write(sql => removeEmpty(sql, empty)).catch(() => [])
    this.#settings.onLeft(connections, places)
  }
}
