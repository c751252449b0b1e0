/** Loads a shard's file into memory, and reports damage. */

import { collectGarbage } from '../background.ts'
import type { CodeMemory } from '../codes/int8-codes.ts'
import type { Index } from '../index/index-file.ts'
import type { RowFile } from '../rows/row-file.ts'
import { type StoredRow, vectorOf } from '../rows/row-record.ts'
import { RowTally } from '../rows/row-slots.ts'
import { unitVector } from '../unit-vector.ts'
import { ShardGallery } from './shard-gallery.ts'
import type { Damage } from './shard-settings.ts'

/** Rows between two garbage collections. With fewer collections, the process would permanently occupy much more memory. */
const GARBAGE_ROWS = 8_192

/** All galleries of the file, without their rows. */
export function loadGalleries(rows: RowFile, memory: CodeMemory): Map<number, ShardGallery> {
  return new Map(rows.galleries().whole.map(record => [record.number, new ShardGallery(memory, record)]))
}

/**
 * Fills the galleries: rows of an index go into its lists, others into `linear`; damaged rows are set aside. Returns
 * false when rows belong to no gallery or their positions are wrong: the file must be rewritten. Throws the error of
 * SQLite when the structure of the file is damaged.
 */
export function loadRows(
  rows: RowFile,
  galleries: ReadonlyMap<number, ShardGallery>,
  indexes: ReadonlyMap<number, Index>,
  onDamage: Damage,
): boolean {
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
