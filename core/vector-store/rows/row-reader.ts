/** Reads a shard's file: galleries, rows and checksums, without validation of the rows. All calls block. */
import type Libsql from 'libsql'
import { closeReader } from '../../files/sqlite.ts'
import {
  decodeRow,
  fieldsCheck,
  gallerySeed,
  isFreeRow,
  PLAINTEXT,
  type RowForm,
  type RowOwner,
  SHORTEST_RECORD,
  type StoredRow,
  vectorOf,
} from './row-record.ts'
import {
  connectReadOnly,
  isDamage,
  ROWS_PER_READ,
  ROWS_PER_SHORT_READ,
  type RowStatements,
  rowStatements,
} from './row-schema.ts'

/** Record of a gallery in the file. Damaged rows count as well. */
export interface GalleryRecord extends RowOwner {
  /** Name in the form of the file. */
  readonly storedName: string
  /** Number of rows, and sum of their checksums. Only a RowFile changes them. */
  count: number
  sum: number
}

/** The valid index of a gallery. The first two numbers give the name of its file, the last is the file's checksum. */
export interface IndexRecord {
  /** Number of its gallery. */
  gallery: number
  serial: number
  crc: number
}

/** Record of a gallery that needs an index and has none. */
export const unbuiltIndex = (gallery: number): IndexRecord => ({ gallery, serial: 0, crc: 0 })

/** Serials of rows start with 1, so no index has the serial 0. */
export const isUnbuiltIndex = ({ serial }: IndexRecord): boolean => serial === 0

/** Record of a gallery without rows. */
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

/** Opens an existing file read-only, in its state at this moment; another process may write to it. */
export const openRowsReadOnly = (path: string, form: RowForm = PLAINTEXT): RowReader => {
  const file = connectReadOnly(path)
  return new RowReader(file, rowStatements(file), form)
}

/** Slots per read. */
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

  /** Whether the structure of the file passes SQLite's own check, and every gallery record is valid. */
  isWhole(): boolean {
    const found = this.#file.prepare('PRAGMA quick_check').all([]) as { quick_check: string }[]
    return found.every(({ quick_check }) => quick_check === 'ok') && this.galleries().damaged === 0
  }

  /** Valid gallery records by number, and the number of damaged ones. */
  galleries(): { whole: GalleryRecord[]; damaged: number } {
    const found = this.#statements.galleries.all([]) as RawGallery[]
    const whole = found.flatMap(raw => this.#wholeGallery(raw) ?? [])
    return { whole, damaged: found.length - whole.length }
  }

  indexes(): IndexRecord[] {
    return this.#statements.indexes.all([]) as IndexRecord[]
  }

  /** Sums of placeCheck (row-slots.ts) over the stated positions of each gallery's rows, by gallery number. */
  placeChecks(): Map<number, number> {
    const found = this.#statements.placeChecks.all([]) as { gallery: number; sum: number }[]
    return new Map(found.map(({ gallery, sum }) => [gallery, sum]))
  }

  /** All rows, including damaged ones, in no particular order. */
  *rows(): Generator<StoredRow> {
    for (const row of this.records()) if (!isFreeRow(row)) yield row
  }

  /** All rows and all free slots. */
  protected *records(): Generator<StoredRow> {
    const { slot } = this.#statements.lastSlot.get([]) as { slot: number | null }
    const last = Math.min(slot ?? 0, this.#mostSlots())
    for (let from = 1; from <= last; from += SLOTS_AT_ONCE) yield* this.#range(from, from + SLOTS_AT_ONCE - 1)
  }

  /** The readable rows of a damaged file. */
  *readableRows(): Generator<StoredRow> {
    const most = this.#mostSlots()
    for (let from = 1; from <= most; from += SLOTS_AT_ONCE) {
      for (const row of this.#readableRange(from, from + SLOTS_AT_ONCE - 1)) if (!isFreeRow(row)) yield row
    }
  }

  /** At most `count` rows of a gallery with an id of `from` or above, by rising id, including damaged ones. */
  page({ number }: GalleryRecord, from: number, count: number): StoredRow[] {
    return decoded(this.#statements.page.all([number, from, count]))
  }

  /** Vectors of these ids, in the same order; undefined for missing and damaged rows. */
  vectors(gallery: GalleryRecord, ids: readonly number[]): (Float32Array | undefined)[] {
    const found = new Map<number, Float32Array>()
    for (let from = 0; from < ids.length; from += ROWS_PER_READ) {
      for (const row of this.some(gallery.number, ids.slice(from, from + ROWS_PER_READ))) {
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

  /** When the structure of the file is damaged, returns the readable rows. */
  protected some(gallery: number, ids: readonly number[]): StoredRow[] {
    const { few, many } = this.#statements
    const [statement, parameterCount] =
      ids.length <= ROWS_PER_SHORT_READ ? [few, ROWS_PER_SHORT_READ] : [many, ROWS_PER_READ]
    try {
      return decoded(statement.all([gallery, ...ids, ...Array(parameterCount - ids.length).fill(null)]))
    } catch (error) {
      if (!isDamage(error)) throw error
      return ids.length === 1 ? [] : ids.flatMap(id => this.some(gallery, [id]))
    }
  }

  /** Returns false when the journal stays. */
  close(): boolean {
    closeReader(this.#file)
    return true
  }

  /** Upper bound by the size of the file, because a damaged file can state any last slot. */
  #mostSlots() {
    return (this.#statements.bytes.get([]) as { bytes: number }).bytes / SHORTEST_RECORD
  }
}

const decoded = (rows: unknown[]) => (rows as RawRow[]).map(({ slot, record }) => decodeRow(slot, record))
