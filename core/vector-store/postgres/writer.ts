/** What changes a database: additions and removals that arrive together are one transaction, each answered for itself. */
import type { Work } from '../shard/shard-batch.ts'
import type { VectorEntry, VectorKey } from '../vector-store.ts'
import type { Connections } from './connections.ts'
import { type GalleryRecord, removeEmpty } from './galleries.ts'
import { keysOf, type Written, writeWorks } from './write-works.ts'

/** Vectors of one transaction, but for a call that has more. */
const AT_ONCE = 1_000

export interface WriterSettings {
  /** Told of galleries that have new vectors. */
  onAdded(connections: Connections, galleries: readonly GalleryRecord[]): void
  /** Told of partitions that nobody needs any more. */
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

  /** Resolves when all that waited is answered. */
  async close(): Promise<void> {
    await this.#writing
  }

  /** What arrives in one turn of the loop, and while the transaction before is under way, is written together. */
  #queue(work: Work): void {
    this.#waiting.push(work)
    this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const works = this.#some()
      try {
        await this.#write(works)
      } catch (error) {
        for (const work of works) work.reject(error as Error)
      }
    }
    // At once: what came between a look at what waits and this would never be written.
    this.#writing = undefined
  }

  #some(): Work[] {
    const works: Work[] = []
    for (let keys = 0; this.#waiting[0]; ) {
      keys += keysOf(this.#waiting[0]).length
      if (works.length > 0 && keys > AT_ONCE) break
      works.push(this.#waiting.shift()!)
    }
    return works
  }

  async #write(works: readonly Work[]): Promise<void> {
    const connections = await this.#connections()
    // Who was refused while the transaction was tried has an answer, and takes no part when it is tried again.
    let open = works
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
    // Nobody sees a gallery without vectors: when its row outlives it for now, the next who needs its name removes it.
    const places = await connections.write(sql => removeEmpty(sql, empty)).catch(() => [])
    this.#settings.onLeft(connections, places)
  }
}
