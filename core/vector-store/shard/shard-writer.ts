/** What changes a shard: batches of additions and removals, each written, applied to memory, and answered in turn. */
import Libsql from 'libsql'
import { isDamage } from '../rows/row-schema.ts'
import { StoreUnavailable, type VectorEntry, type VectorKey } from '../vector-store.ts'
import { type Addition, Batch, type Removal, type TakenAddition, type Work } from './shard-batch.ts'
import { ShardGallery } from './shard-gallery.ts'
import type { OpenedShard } from './shard-open.ts'

/** How soon the journal is wiped again when another process was reading, milliseconds. */
const WIPE_AGAIN_MS = 50

export class ShardWriter {
  readonly #opened: OpenedShard
  readonly #onDamage: (what: string) => void
  #waiting: Work[] = []
  #wiping: NodeJS.Timeout | undefined

  constructor(opened: OpenedShard, onDamage: (what: string) => void) {
    this.#opened = opened
    this.#onDamage = onDamage
  }

  add(entries: readonly VectorEntry[]): Promise<void> {
    return new Promise((resolve, reject) => this.#queue({ verb: 'add', entries, resolve, reject }))
  }

  /**
   * When it resolves, no byte of what was removed is in the file. While another process reads, as a backup does, it
   * stays in the journal until that is done: wiping is tried again and again, and the caller does not wait for it.
   */
  remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    return new Promise((resolve, reject) => this.#queue({ verb: 'remove', keys, resolve, reject }))
  }

  /** Writes what waits. Nothing may be added or removed afterwards. */
  close(): void {
    this.#settle()
    clearTimeout(this.#wiping)
  }

  /** What arrives in one turn of the loop is written together. */
  #queue(work: Work): void {
    this.#waiting.push(work)
    if (this.#waiting.length === 1) setImmediate(() => this.#settle())
  }

  #settle(): void {
    const works = this.#waiting
    this.#waiting = []
    let batch = new Batch(this.#opened.galleries)
    for (const work of works) {
      if (batch.take(work)) continue
      this.#write(batch)
      batch = new Batch(this.#opened.galleries)
      batch.take(work)
    }
    this.#write(batch)
  }

  /**
   * Additions are applied to memory before the commit, which alone can't be undone: nobody searches in between, and where
   * memory is full they are refused in time.
   */
  #write(batch: Batch): void {
    const { removals } = batch
    const additions = batch.additions.filter(addition => this.#remember(addition))
    if (additions.length === 0 && removals.length === 0) return
    try {
      this.#commit(
        additions.flatMap(({ work }) => work.entries),
        removals.flatMap(({ known }) => known),
      )
    } catch (error) {
      for (const { work } of additions) this.#forget(work.entries)
      const away = this.#awayAfter(error)
      for (const { work } of [...additions, ...removals]) work.reject(away)
      return
    }
    for (const { known } of removals) this.#forget(known)
    if (removals.length > 0) this.#wipeJournal()
    for (const { work } of additions) work.resolve()
    for (const { work, known } of removals) work.resolve(known)
    this.#considerIndexes(additions, removals)
  }

  #commit(entries: readonly VectorEntry[], keys: readonly VectorKey[]): void {
    const { galleries, rows } = this.#opened
    rows.transaction(writer => {
      for (const { gallery, id, vector } of entries) {
        const { record, aside } = galleries.get(gallery)!
        if (aside.has(id)) writer.remove(record, id)
        writer.add(record, id, vector)
      }
      for (const { gallery, id } of keys) writer.remove(galleries.get(gallery)!.record, id)
    })
    for (const { gallery, id } of [...entries, ...keys]) galleries.get(gallery)?.aside.delete(id)
  }

  /** False when there is no memory for all of it: then it is rejected, and none of it is there. */
  #remember({ work, units }: TakenAddition): boolean {
    const { galleries, memory, rows } = this.#opened
    for (const [i, { gallery: name, id, vector }] of work.entries.entries()) {
      try {
        const gallery = galleries.get(name) ?? new ShardGallery(memory, rows.newGallery(name, vector.length))
        galleries.set(name, gallery)
        gallery.codes.add(id, units[i]!)
      } catch (error) {
        this.#forget(work.entries.slice(0, i + 1))
        work.reject(error as Error)
        return false
      }
    }
    return true
  }

  /** Removes from memory what is there of these, and galleries that have nothing left. */
  #forget(keys: readonly VectorKey[]): void {
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

  #wipeJournal(): void {
    clearTimeout(this.#wiping)
    let wiped = false
    try {
      wiped = this.#opened.rows.wipeJournal()
    } catch {
      // As when another process reads: the removal is written, and only the journal still has what was there.
    }
    if (!wiped) this.#wiping = setTimeout(() => this.#wipeJournal(), WIPE_AGAIN_MS).unref()
  }

  #considerIndexes(
    additions: readonly { work: Addition }[],
    removals: readonly { work: Removal; known: readonly VectorKey[] }[],
  ): void {
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

  /** What is not written for want of room may be written later; nothing else is known to pass. */
  #awayAfter(error: unknown): StoreUnavailable {
    if (isDamage(error)) this.#onDamage('The rows turn out to be damaged, and nothing can be written.')
    const full = error instanceof Libsql.SqliteError && /^SQLITE_(FULL|IOERR)/.test(error.code)
    return new StoreUnavailable(full ? 'full' : 'away', { cause: error })
  }
}
