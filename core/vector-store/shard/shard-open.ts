/** Opens the folder of a shard: repairs a damaged file, and loads everything into memory. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { collectGarbage } from '../background.ts'
import { type CodeMemory, openCodeMemory } from '../codes/int8-codes.ts'
import type { Index } from '../index/index-file.ts'
import { openRowFile, type RowFile } from '../rows/row-file.ts'
import { journalFault } from '../rows/row-journal.ts'
import { rowForm, type StoredRow, vectorOf } from '../rows/row-record.ts'
import { rewriteRows } from '../rows/row-rewrite.ts'
import { isDamage, RowsDamaged } from '../rows/row-schema.ts'
import { RowTally } from '../rows/row-slots.ts'
import { unitVector } from '../unit-vector.ts'
import { IndexLifecycle, type IndexSettings } from './index-lifecycle.ts'
import { ShardGallery } from './shard-gallery.ts'
import type { Damage } from './shard-settings.ts'

/** File name in the shard's folder. */
export const ROWS = 'rows.db'

/** Name of the folder of indexes in the shard's folder. */
export const INDEXES = 'index'

export interface OpenedShard {
  readonly rows: RowFile
  readonly memory: CodeMemory
  readonly indexes: IndexLifecycle
  /** By gallery name. */
  readonly galleries: Map<string, ShardGallery>
}

/**
 * Opens a shard. Throws RowsDamaged when the file cannot be read at all; reports other damage and serves the intact
 * rows.
 */
export async function openFolder(folder: string, settings: IndexSettings): Promise<OpenedShard> {
  const path = join(folder, ROWS)
  reportJournal(path, settings)
  const opened = await openWhole(path, folder, settings)
  if (opened) return opened
  const keepAs = freePath(`${path}.damaged`)
  const form = rowForm(settings.dataKey)
  rewriteRows(path, { keepAs, from: form, to: form })
  settings.onDamage(
    `${path} was damaged. Its intact rows are served. The old file is kept as ${keepAs}. It also keeps the vectors ` +
      'that are deleted from now on: remove it when it is no longer needed.',
  )
  const again = await openWhole(path, folder, settings)
  if (!again) throw new RowsDamaged(path)
  return again
}

function reportJournal(path: string, { onDamage }: IndexSettings) {
  const fault = journalFault(`${path}-wal`)
  if (fault === 'damaged')
    onDamage(`The journal of ${path} is damaged. The last vectors are as they were before.`)
  if (fault === 'cut') onDamage(`The journal of ${path} ends within a transaction, which is left out.`)
}

/** Undefined when the structure of the file is damaged or a row belongs to nothing: the file must be rewritten. */
async function openWhole(
  path: string,
  folder: string,
  settings: IndexSettings,
): Promise<OpenedShard | undefined> {
  const rows = openRowFile(path, rowForm(settings.dataKey))
  try {
    if (rows.isWhole()) {
      const memory = await openCodeMemory()
      const indexes = new IndexLifecycle(join(folder, INDEXES), rows, settings)
      const galleries = loadGalleries(rows, memory)
      const found = await indexes.read(galleries)
      if (loadRows(rows, galleries, found, settings.onDamage)) {
        return { rows, memory, indexes, galleries: byName(galleries, indexes, found) }
      }
    }
  } catch (error) {
    if (!isDamage(error)) {
      rows.close()
      throw error
    }
  }
  rows.close()
  return undefined
}

/** Galleries with rows, by name. Activates their indexes, and starts to build the missing ones. */
function byName(
  galleries: ReadonlyMap<number, ShardGallery>,
  indexes: IndexLifecycle,
  found: ReadonlyMap<number, Index>,
): Map<string, ShardGallery> {
  const named = new Map<string, ShardGallery>()
  for (const [number, gallery] of galleries) {
    if (gallery.isEmpty) continue
    named.set(gallery.record.name, gallery)
    const index = found.get(number)
    if (index) indexes.loaded(gallery, index)
    indexes.consider(gallery)
  }
  return named
}

/** The path, or the first one with a number appended, that does not exist. */
function freePath(path: string) {
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${path}-${number}`
    if (!existsSync(free)) return free
  }
}

/** Rows between two garbage collections. With fewer collections, the process would permanently occupy much more memory. */
const GARBAGE_ROWS = 8_192

/** All galleries of the file, without their rows. */
function loadGalleries(rows: RowFile, memory: CodeMemory): Map<number, ShardGallery> {
  return new Map(rows.galleries().whole.map(record => [record.number, new ShardGallery(memory, record)]))
}

/**
 * Fills the galleries: rows of an index go into its lists, others into `linear`; damaged rows are set aside. Returns
 * false when rows belong to no gallery or their positions are wrong: the file must be rewritten. Throws the error of
 * SQLite when the structure of the file is damaged.
 */
function loadRows(
  rows: RowFile,
  galleries: ReadonlyMap<number, ShardGallery>,
  indexes: ReadonlyMap<number, Index>,
  onDamage: Damage,
) {
  const loaders = new Map<number, GalleryLoader>()
  for (const [number, gallery] of galleries)
    loaders.set(number, new GalleryLoader(gallery, indexes.get(number)))
  let read = 0
  for (const row of rows.rows()) {
    const loader = loaders.get(row.gallery)
    if (!loader) return false
    loader.add(row)
    if (++read % GARBAGE_ROWS === 0) collectGarbage()
  }
  const places = rows.placeChecks()
  for (const [number, { tally }] of loaders) if ((places.get(number) ?? 0) !== tally.places) return false
  if ([...places.keys()].some(number => !loaders.has(number))) return false
  for (const loader of loaders.values()) loader.finish(rows, onDamage)
  return true
}

/** Loads the rows of one gallery. */
class GalleryLoader {
  readonly gallery: ShardGallery
  readonly tally = new RowTally()
  readonly #index: Index | undefined

  constructor(gallery: ShardGallery, index: Index | undefined) {
    this.gallery = gallery
    this.#index = index
    if (index) gallery.codes.loadIndex(index, sizesOf(index))
  }

  add(row: StoredRow): void {
    this.tally.add(row)
    const { record, codes, aside } = this.gallery
    const vector = vectorOf(record, row)
    if (vector) codes.add(row.id, unitVector(vector), this.#listOf(row))
    else aside.add(row.id)
  }

  /** Compares the rows with the gallery's record. Reports and corrects a difference. */
  finish(rows: RowFile, onDamage: Damage): void {
    const { record, aside } = this.gallery
    const where = `gallery ${record.name}`
    if (aside.size > 0)
      onDamage(`${aside.size} vectors of the ${where} are damaged, and are not served.`, aside.size)
    const { count, sum } = this.tally
    if (record.count === count && record.sum === sum) return
    const what = `The ${where} has ${count} vectors where there should be ${record.count}, or others.`
    onDamage(what, Math.max(1, record.count - count))
    rows.correct(record, { count, sum })
  }

  /** List of a row in the index. A row that is newer than the index has none: its id may belong to an older row there. */
  #listOf({ id, serial }: StoredRow): number | undefined {
    if (!this.#index || serial > this.#index.serial) return undefined
    const { ids, lists } = this.#index.assignment
    let [low, high] = [0, ids.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ids[middle]! < id) low = middle + 1
      else high = middle
    }
    return ids[low] === id ? lists[low] : undefined
  }
}

function sizesOf({ lists, assignment }: Index): Uint32Array {
  const sizes = new Uint32Array(lists)
  for (const list of assignment.lists) sizes[list]!++
  return sizes
}
