/** Lifecycle of a shard's indexes: loaded at the start, built on request or when due, replaced and removed. */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { environment } from '../../../contract/environment.ts'
import type { DataKey } from '../../encryption/encrypt.ts'
import type { FileForm } from '../../encryption/file-form.ts'
import { collectGarbage, pace } from '../background.ts'
import { type IndexBuilder, openIndexBuilder } from '../index/index-builder.ts'
import {
  encodeIndex,
  type Index,
  type IndexName,
  indexFileName,
  indexForm,
  readIndex,
  writeIndex,
} from '../index/index-file.ts'
import { listsFor, SAMPLE_PER_LIST } from '../index/k-means.ts'
import type { RowFile } from '../rows/row-file.ts'
import { type IndexRecord, isUnbuiltIndex } from '../rows/row-reader.ts'
import type { ShardGallery } from './shard-gallery.ts'
import type { Damage } from './shard-settings.ts'

export type IndexStep = 'sealed' | 'trained' | 'written' | 'committed' | 'removed' | 'arranged'

export interface IndexSettings {
  /** Vectors in the space `linear` above which an index is built automatically. */
  indexAbove: number
  onDamage: Damage
  dataKey?: DataKey
  /** Called after each step of a build. */
  onStep?: (step: IndexStep) => void
}

/**
 * An index is rebuilt when this fraction of its rows was removed. It is also rebuilt when the rows outside exceed both `indexAbove`
 * and this fraction of the rows inside.
 */
const STALE_FRACTION = 0.2

/** Rows per copy for the thread that builds an index. */
const ROWS_AT_ONCE = 8_192

/** Time in milliseconds without an automatic build after a failure. */
const REBUILD_PAUSE_MS = 60_000

/** Share of the progress for sampling and training; assigning all rows is the rest. */
const TRAINED = 0.5

/** Thrown within a build whose gallery was removed or whose shard closes. */
class BuildCancelled extends Error {}

let loadedHere = 0

/** Handles are unique among all threads of the process. */
const nextHandle = () => threadId * 2 ** 20 + ++loadedHere

export class IndexLifecycle {
  readonly #folder: string
  readonly #rows: RowFile
  readonly #settings: IndexSettings
  readonly #form: FileForm
  readonly #waiting: ShardGallery[] = []
  #building: Promise<void> | undefined
  #builder: IndexBuilder | undefined
  #closed = false
  readonly #failedAt = new WeakMap<ShardGallery, number>()
  /** Numbers of galleries whose index is missing or damaged. */
  readonly #missing = new Set<number>()

  /** `folder` holds the index files; it is created if necessary. */
  constructor(folder: string, rows: RowFile, settings: IndexSettings) {
    this.#folder = folder
    this.#rows = rows
    this.#settings = settings
    this.#form = indexForm(settings.dataKey)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  /**
   * The valid indexes, by gallery number. Sets damaged files aside and reports them. Removes files without a record,
   * which a crash can leave behind.
   */
  async read(galleries: ReadonlyMap<number, unknown>): Promise<Map<number, Index>> {
    const found = new Map<number, Index>()
    const records = this.#rows.indexes().filter(({ gallery }) => galleries.has(gallery))
    const named = new Set(records.map(indexFileName))
    for (const file of readdirSync(this.#folder)) if (!named.has(file)) this.#remove(file)
    for (const record of records) {
      const index = isUnbuiltIndex(record) ? undefined : await this.#readOne(record)
      if (index) found.set(record.gallery, index)
      else this.#missing.add(record.gallery)
    }
    return found
  }

  /** Records that the gallery's rows are in the lists of this index. */
  loaded(gallery: ShardGallery, index: IndexName & Pick<Index, 'assignment'>): void {
    gallery.loaded = { file: indexFileName(index), handle: nextHandle() }
    const missing = index.assignment.ids.length - gallery.codes.counts().indexed
    gallery.deleted = { linear: 0, preindex: 0, indexed: Math.max(0, missing) }
    gallery.indexing = { state: 'ready', progress: 1 }
  }

  /** Queues a build of an index, unless one is queued or in progress. */
  start(gallery: ShardGallery): void {
    if (gallery.indexing.state === 'building') return
    gallery.indexing = { state: 'building', progress: 0 }
    this.#waiting.push(gallery)
    this.#building ??= this.#buildAll()
  }

  /**
   * Queues a build when many rows are outside of the index, many of its rows were removed, or its file was missing or
   * damaged.
   */
  consider(gallery: ShardGallery): void {
    const isMissing = this.#missing.delete(gallery.record.number)
    if (isMissing || this.#isDue(gallery)) this.start(gallery)
  }

  /** Removes the index file of a removed gallery. */
  drop({ loaded }: ShardGallery): void {
    if (loaded) this.#remove(loaded.file)
  }

  /** Stops the current build, which starts again after the next start of the shard. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#builder?.close()
    await this.#building
  }

  #isDue(gallery: ShardGallery) {
    const { codes, loaded, deleted, indexing } = gallery
    const { indexAbove } = this.#settings
    if (indexing.state === 'building' || (!loaded && codes.size <= indexAbove)) return false
    const failed = this.#failedAt.get(gallery)
    if (failed !== undefined && environment.now() - failed < REBUILD_PAUSE_MS) return false
    const { linear, preindex, indexed } = codes.counts()
    const outside = linear + preindex > Math.max(indexAbove, STALE_FRACTION * indexed)
    const stale = deleted.indexed > STALE_FRACTION * (indexed + deleted.indexed)
    return outside || (loaded !== undefined && stale)
  }

  async #readOne(record: IndexRecord): Promise<Index | undefined> {
    const file = indexFileName(record)
    const index = await readIndex(join(this.#folder, file), record, record.crc, this.#form)
    if (index) return index
    try {
      renameSync(join(this.#folder, file), join(this.#folder, `${file}.damaged`))
      this.#settings.onDamage(`The index ${file} is damaged. It is set aside, and a new one is made.`)
    } catch {
      this.#settings.onDamage(`The index ${file} is missing. A new one is made.`)
    }
    return undefined
  }

  async #buildAll() {
    for (let gallery = this.#waiting.shift(); gallery; gallery = this.#waiting.shift()) {
      if (this.#closed) break
      try {
        await this.#build(gallery)
      } catch (error) {
        if (error instanceof BuildCancelled || this.#closed || gallery.gone) continue
        gallery.indexing = { state: 'failed', progress: 1 }
        this.#failedAt.set(gallery, environment.now())
      }
    }
    this.#building = undefined
  }

  /** When this throws, rows stay in `preindex`: searches still scan them, and the next build includes them. */
  async #build(gallery: ShardGallery) {
    const { codes, record } = gallery
    const { onStep } = this.#settings
    const previous = gallery.loaded
    codes.seal()
    gallery.deleted.preindex = 0
    const name: IndexName = { gallery: record.number, serial: this.#rows.nextSerial() }
    onStep?.('sealed')
    const index = await this.#make(gallery, name)
    const encoded = encodeIndex(index)
    const file = indexFileName(name)
    try {
      await writeIndex(join(this.#folder, file), encoded.bytes, this.#form)
      onStep?.('written')
      this.#assertNeeded(gallery)
      this.#rows.transaction(writer =>
        writer.setIndex({ gallery: name.gallery, serial: name.serial, crc: encoded.crc }),
      )
      onStep?.('committed')
      gallery.loaded = undefined
      if (previous) this.#remove(previous.file)
      onStep?.('removed')
      const rest = pace()
      for (const _ of codes.arrange(index, index.assignment)) {
        await rest()
        this.#assertNeeded(gallery)
      }
      this.loaded(gallery, index)
      onStep?.('arranged')
    } finally {
      // A build that failed before the commit, or whose gallery was removed, has no record.
      if (!this.#rows.indexes().some(record => indexFileName(record) === file)) this.#remove(file)
    }
    collectGarbage()
  }

  async #make(gallery: ShardGallery, name: IndexName): Promise<Index> {
    const { codes } = gallery
    const progress = (part: number) => {
      gallery.indexing = { state: 'building', progress: part }
    }
    const { preindex, indexed } = codes.counts()
    const total = preindex + indexed
    const lists = listsFor(total)
    const builder = openIndexBuilder(codes.dimension)
    this.#builder = builder
    try {
      const every = Math.max(1, Math.floor(total / (lists * SAMPLE_PER_LIST)))
      for (const slice of codes.slices(ROWS_AT_ONCE, every)) {
        await builder.sample(slice)
        this.#assertNeeded(gallery)
      }
      const model = await builder.train(lists, part => progress(part * TRAINED))
      this.#settings.onStep?.('trained')
      this.#assertNeeded(gallery)
      let assigned = 0
      for (const slice of codes.slices(ROWS_AT_ONCE)) {
        assigned += slice.ids.length
        await builder.assign(slice)
        this.#assertNeeded(gallery)
        progress(TRAINED + (assigned / total) * (1 - TRAINED))
      }
      return { ...name, model, lists, assignment: await builder.assignment() }
    } finally {
      this.#builder = undefined
      await builder.close()
    }
  }

  #assertNeeded({ gone }: ShardGallery) {
    if (gone || this.#closed) throw new BuildCancelled()
  }

  #remove(file: string) {
    rmSync(join(this.#folder, file), { force: true })
  }
}
