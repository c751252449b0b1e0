/** Reads a shard's file into memory, and says what of it is damaged. */
import type { CodeMemory } from './codes/code-memory.ts'
import type { Index } from './index-file.ts'
import { wrapped } from './row-check.ts'
import { isWholeRow, type RowFile, type StoredRow } from './row-file.ts'
import { ShardGallery } from './shard-gallery.ts'
import { unitVector } from './unit-vector.ts'

/** All galleries of the file without their rows. */
export function loadGalleries(rows: RowFile, memory: CodeMemory): Map<number, ShardGallery> {
  return new Map(rows.galleries().whole.map(record => [record.number, new ShardGallery(memory, record)]))
}

/**
 * Fills the galleries: rows that an index names go into their lists, others into `linear`; damaged ones are set aside.
 * Returns the number of rows that belong to no gallery. Throws what SQLite throws when the order of the file is damaged.
 */
export function loadRows(
  rows: RowFile,
  galleries: ReadonlyMap<number, ShardGallery>,
  indexes: ReadonlyMap<number, Index>,
  onDamage: (what: string) => void,
): number {
  const fillings = new Map<number, Filling>()
  for (const [number, gallery] of galleries) fillings.set(number, new Filling(gallery, indexes.get(number)))
  let strays = 0
  for (const row of rows.rows()) {
    const filling = fillings.get(row.gallery)
    if (filling) filling.add(row)
    else strays++
  }
  for (const filling of fillings.values()) filling.finish(rows, onDamage)
  return strays
}

/** A gallery whose rows come by rising id, as do those of its index. */
class Filling {
  readonly gallery: ShardGallery
  readonly #index: Index | undefined
  #at = 0
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
    const { record, codes, aside } = this.gallery
    if (isWholeRow(record, row)) {
      codes.add(row.id, unitVector(new Float32Array(row.vector.buffer)), this.#listOf(row))
    } else aside.add(row.id)
  }

  /** Compares the rows with what the gallery's record says of them. */
  finish(rows: RowFile, onDamage: (what: string) => void): void {
    const { record, aside } = this.gallery
    const where = `gallery ${record.name}`
    if (aside.size > 0) onDamage(`${aside.size} vectors of the ${where} are damaged, and are not served.`)
    if (record.count === this.#count && record.sum === this.#sum) return
    onDamage(`The ${where} has ${this.#count} vectors where there should be ${record.count}, or others.`)
    rows.correct(record, { count: this.#count, sum: this.#sum })
  }

  #listOf({ id, serial }: StoredRow): number | undefined {
    if (!this.#index || serial > this.#index.serial) return undefined
    const { ids, lists } = this.#index.assignment
    while (ids[this.#at]! < id) this.#at++
    return ids[this.#at] === id ? lists[this.#at] : undefined
  }
}

function sizesOf({ lists, assignment }: Index): Uint32Array {
  const sizes = new Uint32Array(lists)
  for (const list of assignment.lists) sizes[list]!++
  return sizes
}
