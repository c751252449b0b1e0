/** Writes to a shard: batches of additions and removals, each committed to the file, applied to memory, and confirmed. */
import Libsql from 'libsql'
import { environment, type Timer } from '../../../contract/environment.ts'
import { isDamage } from '../rows/row-schema.ts'
import { unitVector } from '../unit-vector.ts'
import { StoreUnavailable, type VectorEntry, type VectorKey } from '../vector-store.ts'
import { type Addition, Batch, type Removal, type TakenAddition, type Work } from './shard-batch.ts'
import { ShardGallery } from './shard-gallery.ts'
import type { OpenedShard } from './shard-open.ts'

/** Delay in milliseconds before the journal is wiped again, when another process was reading. */
const WIPE_AGAIN_MS = 50

export class ShardWriter {
  /** Group commits since the start, and the vectors that they added or removed. */
  commits = 0
  committed = 0
  readonly #opened: OpenedShard
  readonly #onDamage: (what: string) => void
  #waiting: Work[] = []
  #wiping: Timer | undefined

  constructor(opened: OpenedShard, onDamage: (what: string) => void) {
    this.#opened = opened
    this.#onDamage = onDamage
  }

  add(entries: readonly VectorEntry[], { replaces = false } = {}): Promise<void> {
    return new Promise((resolve, reject) => this.#queue({ verb: 'add', entries, replaces, resolve, reject }))
  }

  /**
   * When it resolves, the file has no byte of the removed vectors. While another process reads, for example a backup,
   * the journal still has them: wiping is repeated in the background, and the caller does not wait.
   */
  remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    return new Promise((resolve, reject) => this.#queue({ verb: 'remove', keys, resolve, reject }))
  }

  /** Writes the queued operations. No operation may follow. */
  close(): void {
    this.#writeQueued()
    this.#wiping?.cancel()
  }

  /** Operations of one turn of the event loop are written together. */
  #queue(work: Work) {
    this.#waiting.push(work)
    if (this.#waiting.length === 1) void environment.turn().then(() => this.#writeQueued())
  }

  #writeQueued() {
    const operations = this.#waiting
    this.#waiting = []
    let batch = new Batch(this.#opened.galleries)
    for (const work of operations) {
      if (batch.take(work)) continue
      this.#write(batch)
      batch = new Batch(this.#opened.galleries)
      batch.take(work)
    }
    this.#write(batch)
  }

  /**
   * Additions are applied to memory before the commit, because a commit cannot be undone: full memory then refuses them in time. No
   * search runs between these steps.
   */
  #write(batch: Batch) {
    const { removals } = batch
    const additions = batch.additions.filter(addition => this.#applyToMemory(addition))
    if (additions.length === 0 && removals.length === 0) return
    try {
      this.#commit(
        additions.flatMap(({ work }) => work.entries),
        removals.flatMap(({ known }) => known),
      )
    } catch (error) {
      for (const { work } of additions) this.#takeBack(work.entries)
      const unavailable = this.#unavailableAfter(error)
      for (const { work } of [...additions, ...removals]) work.reject(unavailable)
      return
    }
    for (const { known } of removals) this.#removeFromMemory(known)
    if (removals.length > 0 || additions.some(({ work }) => work.replaces)) this.#wipeJournal()
    for (const { work } of additions) work.resolve()
    for (const { work, known } of removals) work.resolve(known)
    this.#considerIndexes(additions, removals)
  }

  #commit(entries: readonly VectorEntry[], keys: readonly VectorKey[]) {
    const { galleries, rows } = this.#opened
    rows.transaction(writer => {
      for (const { gallery, id, vector } of entries) {
        const { record, aside } = galleries.get(gallery)!
        if (aside.has(id)) writer.remove(record, id)
        writer.add(record, id, vector)
      }
      for (const { gallery, id } of keys) writer.remove(galleries.get(gallery)!.record, id)
    })
    this.commits++
    this.committed += entries.length + keys.length
    for (const { gallery, id } of [...entries, ...keys]) galleries.get(gallery)?.aside.delete(id)
  }

  /** Applies an addition to memory. When memory is full, rejects the addition, applies nothing, and returns false. */
  #applyToMemory({ work, units }: TakenAddition) {
    const { galleries, memory, rows } = this.#opened
    for (const [i, { gallery: name, id, vector }] of work.entries.entries()) {
      try {
        const gallery = galleries.get(name) ?? new ShardGallery(memory, rows.newGallery(name, vector.length))
        galleries.set(name, gallery)
        if (work.replaces && gallery.serves(id)) gallery.setAside(id)
        gallery.codes.add(id, units[i]!)
      } catch (error) {
        this.#takeBack(work.entries.slice(0, i + 1))
        work.reject(error as Error)
        return false
      }
    }
    return true
  }

  /** Removes additions from memory that are not committed. Serves replaced vectors again, unless memory is full. */
  #takeBack(entries: readonly VectorEntry[]) {
    const { galleries, rows } = this.#opened
    this.#removeFromMemory(entries)
    for (const { gallery: name, id } of entries) {
      const gallery = galleries.get(name)
      const [vector] = gallery?.aside.has(id) ? rows.vectors(gallery.record, [id]) : []
      if (!vector) continue
      try {
        gallery!.codes.add(id, unitVector(vector))
        gallery!.aside.delete(id)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
      }
    }
  }

  /** Removes these keys from memory, and galleries that have no rows left. */
  #removeFromMemory(keys: readonly VectorKey[]) {
    const { galleries, indexes } = this.#opened
    for (const { gallery: name, id } of keys) {
      const gallery = galleries.get(name)
      gallery?.remove(id)
      if (!gallery?.isEmpty) continue
      galleries.delete(name)
      gallery.release()
      indexes.drop(gallery)
    }
  }

  #wipeJournal() {
    this.#wiping?.cancel()
    let wiped = false
    try {
      wiped = this.#opened.rows.wipeJournal()
    } catch {
      // For example, another process reads. The removal is committed; only the journal still has the vectors.
    }
    if (!wiped) this.#wiping = environment.timer(() => this.#wipeJournal(), WIPE_AGAIN_MS, { ref: false })
  }

  #considerIndexes(
    additions: readonly { work: Addition }[],
    removals: readonly { work: Removal; known: readonly VectorKey[] }[],
  ) {
    const { galleries, indexes } = this.#opened
    const names = new Set([
      ...additions.flatMap(({ work }) => work.entries.map(({ gallery }) => gallery)),
      ...removals.flatMap(({ known }) => known.map(({ gallery }) => gallery)),
    ])
    for (const name of names) {
      const gallery = galleries.get(name)
      if (gallery) indexes.consider(gallery)
    }
  }

  /** A full disk and I/O errors are temporary (`full`); other errors may be permanent (`away`). */
  #unavailableAfter(error: unknown): StoreUnavailable {
    if (isDamage(error)) this.#onDamage('The rows turn out to be damaged, and nothing can be written.')
    const full = error instanceof Libsql.SqliteError && /^SQLITE_(FULL|IOERR)/.test(error.code)
    return new StoreUnavailable(full ? 'full' : 'away', { cause: error })
  }
}
