/** Looks at a shard's file: its galleries, its rows and their checks, as they are. All calls block. */
import type Libsql from 'libsql'
import { PLAINTEXT, type RowForm } from './row-form.ts'
import {
  decodeRow,
  fieldsCheck,
  gallerySeed,
  isFree,
  type RowOwner,
  SHORTEST_RECORD,
  type StoredRow,
  vectorOf,
} from './row-record.ts'
import { connectToLook, isDamage } from './row-schema.ts'
import { FEW_AT_ONCE, MANY_AT_ONCE, type RowStatements, rowStatements } from './row-statements.ts'

/** What the file says of a gallery. Rows that are damaged count as well: they are there. */
export interface GalleryRecord extends RowOwner {
  /** As the file has it. */
  readonly storedName: string
  /** Rows, and the sum of their checks. Only a RowFile changes them. */
  count: number
  sum: number
}

/** The index that counts for a gallery: its file is named by these numbers. */
export interface IndexRecord {
  /** Number of its gallery. */
  gallery: number
  serial: number
  crc: number
}

/** Says that the gallery has to have an index, and has none. */
export const toBeMade = (gallery: number): IndexRecord => ({ gallery, serial: 0, crc: 0 })

/** No index has the serial 0: rows begin with 1. */
export const isToBeMade = ({ serial }: IndexRecord): boolean => serial === 0

/** A gallery without rows. */
export const galleryRecord = (
  form: RowForm,
  { number, name, dimension }: Pick<GalleryRecord, 'number' | 'name' | 'dimension'>,
  storedName = form.storedName(name, number),
): GalleryRecord => ({
  number,
  name,
  dimension,
  form,
  storedName,
  seed: gallerySeed(name),
  count: 0,
  sum: 0,
})

/** Opens a file that is there as it is at this moment, also beside the process that works in it; only for looking at it. */
export const openRowsAsTheyAre = (path: string, form: RowForm = PLAINTEXT): RowReader => {
  const file = connectToLook(path)
  return new RowReader(file, rowStatements(file), form)
}

/** Slots that are read at once. */
const SLOTS_AT_ONCE = 256

interface RawRow {
  slot: number
  record: unknown
}

type RawGallery = Record<'number' | 'dimension' | 'count' | 'sum' | 'crc', number> & {
  name: ArrayBuffer | Uint8Array
}

export class RowReader {
  readonly form: RowForm
  readonly #file: Libsql.Database
  readonly #statements: RowStatements

  constructor(file: Libsql.Database, statements: RowStatements, form: RowForm) {
    this.form = form
    this.#file = file
    this.#statements = statements
  }

  /** Whether the order of the file is whole, by SQLite's own check, and every record of a gallery. */
  isWhole(): boolean {
    const found = this.#file.prepare('PRAGMA quick_check').all([]) as { quick_check: string }[]
    return found.every(({ quick_check }) => quick_check === 'ok') && this.galleries().damaged === 0
  }

  /** The galleries whose record is whole, by their numbers, and how many records are not. */
  galleries(): { whole: GalleryRecord[]; damaged: number } {
    const found = this.#statements.galleries.all([]) as RawGallery[]
    const whole = found.flatMap(raw => this.#wholeGallery(raw) ?? [])
    return { whole, damaged: found.length - whole.length }
  }

  indexes(): IndexRecord[] {
    return this.#statements.indexes.all([]) as IndexRecord[]
  }

  /** Check sums of where the rows of each gallery are said to be, by its number: PlaceCheck of row-slots.ts. */
  placeChecks(): Map<number, number> {
    const found = this.#statements.placeChecks.all([]) as { gallery: number; sum: number }[]
    return new Map(found.map(({ gallery, sum }) => [gallery, sum]))
  }

  /** All rows, in no order that means anything, as they are. */
  *rows(): Generator<StoredRow> {
    for (const row of this.records()) if (!isFree(row)) yield row
  }

  /** The same with the places that are free. */
  protected *records(): Generator<StoredRow> {
    const { slot } = this.#statements.lastSlot.get([]) as { slot: number | null }
    const last = Math.min(slot ?? 0, this.#mostSlots())
    for (let from = 1; from <= last; from += SLOTS_AT_ONCE) yield* this.#range(from, from + SLOTS_AT_ONCE - 1)
  }

  /** The rows of a damaged file that can be reached. */
  *readableRows(): Generator<StoredRow> {
    const most = this.#mostSlots()
    for (let from = 1; from <= most; from += SLOTS_AT_ONCE) {
      for (const row of this.#readableRange(from, from + SLOTS_AT_ONCE - 1)) if (!isFree(row)) yield row
    }
  }

  /** At most `count` rows of a gallery whose id is `from` or above, by rising id, as they are. */
  page({ number }: GalleryRecord, from: number, count: number): StoredRow[] {
    return decoded(this.#statements.page.all([number, from, count]))
  }

  /** The vectors of these ids, in their order; undefined where there is no row, or not a whole one. */
  vectors(gallery: GalleryRecord, ids: readonly number[]): (Float32Array | undefined)[] {
    const found = new Map<number, Float32Array>()
    for (let from = 0; from < ids.length; from += MANY_AT_ONCE) {
      for (const row of this.some(gallery.number, ids.slice(from, from + MANY_AT_ONCE))) {
        const vector = vectorOf(gallery, row)
        if (vector) found.set(row.id, vector)
      }
    }
    return ids.map(id => found.get(id))
  }

  #wholeGallery({ number, name: bytes, dimension, count, sum, crc }: RawGallery): GalleryRecord | undefined {
    const storedName = Buffer.from(new Uint8Array(bytes)).toString('latin1')
    if (fieldsCheck(number, storedName, dimension, count, sum) !== crc) return undefined
    const name = this.form.readName(storedName, number)
    if (name === undefined) return undefined
    return { ...galleryRecord(this.form, { number, name, dimension }, storedName), count, sum }
  }

  #range(from: number, to: number): StoredRow[] {
    return decoded(this.#statements.range.all([from, to]))
  }

  #readableRange(from: number, to: number): StoredRow[] {
    try {
      return this.#range(from, to)
    } catch (error) {
      if (!isDamage(error)) throw error
      if (from === to) return []
      const middle = Math.floor((from + to) / 2)
      return [...this.#readableRange(from, middle), ...this.#readableRange(middle + 1, to)]
    }
  }

  /** Where the order of the file is damaged, what can be reached. */
  protected some(gallery: number, ids: readonly number[]): StoredRow[] {
    const { few, many } = this.#statements
    const [statement, room] = ids.length <= FEW_AT_ONCE ? [few, FEW_AT_ONCE] : [many, MANY_AT_ONCE]
    try {
      return decoded(statement.all([gallery, ...ids, ...Array(room - ids.length).fill(null)]))
    } catch (error) {
      if (!isDamage(error)) throw error
      return ids.length === 1 ? [] : ids.flatMap(id => this.some(gallery, [id]))
    }
  }

  /** False when something of it stays behind. */
  close(): boolean {
    this.#file.close()
    return true
  }

  /** No more can be in so many bytes, whatever is said of the last. */
  #mostSlots(): number {
    return (this.#statements.bytes.get([]) as { bytes: number }).bytes / SHORTEST_RECORD
  }
}

const decoded = (rows: unknown[]): StoredRow[] =>
  (rows as RawRow[]).map(({ slot, record }) => decodeRow(slot, record))
