/** Reads a shard's file into memory, and says what of it is damaged. */
import type { CodeMemory } from '../codes/code-memory.ts'
import { collectGarbage } from '../garbage.ts'
import type { Index } from '../index/index-file.ts'
import type { RowFile } from '../rows/row-file.ts'
import { type StoredRow, vectorOf, wrapped } from '../rows/row-record.ts'
import { placeCheck } from '../rows/row-slots.ts'
import { unitVector } from '../unit-vector.ts'
import { ShardGallery } from './shard-gallery.ts'
import type { Damage } from './shard-settings.ts'

/** Rows whose bytes are left behind before they are collected: much more would stay with the process for good. */
const GARBAGE_ROWS = 8_192

/** All galleries of the file without their rows. */
export function loadGalleries(rows: RowFile, memory: CodeMemory): Map<number, ShardGallery> {
  return new Map(rows.galleries().whole.map(record => [record.number, new ShardGallery(memory, record)]))
}

/**
 * Fills the galleries: rows that an index names go into their lists, others into `linear`; damaged ones are set aside.
 * False when rows belong to no gallery, or are not where they are said to be: then the file has to be written anew.
 * Throws what SQLite throws when the order of the file is damaged.
 */
export function loadRows(
  rows: RowFile,
  galleries: ReadonlyMap<number, ShardGallery>,
  indexes: ReadonlyMap<number, Index>,
  onDamage: Damage,
): boolean {
  const fillings = new Map<number, Filling>()
  for (const [number, gallery] of galleries) fillings.set(number, new Filling(gallery, indexes.get(number)))
  let read = 0
  for (const row of rows.rows()) {
    const filling = fillings.get(row.gallery)
    if (!filling) return false
    filling.add(row)
    if (++read % GARBAGE_ROWS === 0) collectGarbage()
  }
  const places = rows.placeChecks()
  for (const [number, { places: sum }] of fillings) if ((places.get(number) ?? 0) !== sum) return false
  if ([...places.keys()].some(number => !fillings.has(number))) return false
  for (const filling of fillings.values()) filling.finish(rows, onDamage)
  return true
}

/** A gallery on the way into memory. */
class Filling {
  readonly gallery: ShardGallery
  /** Of the places of its rows. */
  places = 0
  readonly #index: Index | undefined
  #count = 0
  #sum = 0

  constructor(gallery: ShardGallery, index: Index | undefined) {
    this.gallery = gallery
    this.#index = index
    if (index) gallery.codes.loadIndex(index, sizesOf(index))
  }

  add(row: StoredRow): void {
    this.#count++
    this.#sum = wrapped(this.#sum + row.crc)
    this.places += placeCheck(row.id, row.slot)
    const { record, codes, aside } = this.gallery
    const vector = vectorOf(record, row)
    if (vector) codes.add(row.id, unitVector(vector), this.#listOf(row))
    else aside.add(row.id)
  }

  /** Compares the rows with what the gallery's record says of them. */
  finish(rows: RowFile, onDamage: Damage): void {
    const { record, aside } = this.gallery
    const where = `gallery ${record.name}`
    if (aside.size > 0)
      onDamage(`${aside.size} vectors of the ${where} are damaged, and are not served.`, aside.size)
    if (record.count === this.#count && record.sum === this.#sum) return
    const what = `The ${where} has ${this.#count} vectors where there should be ${record.count}, or others.`
    onDamage(what, Math.max(1, record.count - this.#count))
    rows.correct(record, { count: this.#count, sum: this.#sum })
  }

  /** Of a row that came after the index there may be an older one of the same id in it. */
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
