/** The truth of a shard: one libSQL file of galleries and their rows, each with a check. All calls block. */
import type Libsql from 'libsql'
import {
  decodeRow,
  encodeRow,
  fieldsCheck,
  gallerySeed,
  isFree,
  isWholeRow,
  type RowOwner,
  recordLength,
  type StoredRow,
  vectorOf,
  wrapped,
} from './row-record.ts'
import { connect, connectToLook, isDamage } from './row-schema.ts'
import { Slots } from './row-slots.ts'
import { READ_AT_ONCE, type RowStatements, rowStatements } from './row-statements.ts'

/** What the file says of a gallery. Rows that are damaged count as well: they are there. */
export interface GalleryRecord extends RowOwner {
  readonly name: string
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

/** What a transaction can do. */
export interface RowWriter {
  /** Under an id that is not taken. */
  add(gallery: GalleryRecord, id: number, vector: Float32Array): void
  /** A row as it was in another file. */
  copy(gallery: GalleryRecord, row: StoredRow): void
  /** Overwrites the row. Nothing happens when there is no such row. */
  remove(gallery: GalleryRecord, id: number): void
  setIndex(index: IndexRecord): void
}

export const galleryRecord = (
  number: number,
  name: string,
  dimension: number,
  count = 0,
  sum = 0,
): GalleryRecord => ({ number, name, dimension, seed: gallerySeed(name), count, sum })

/** Opens the file or makes it. Throws RowsDamaged when it is no such file. */
export const openRowFile = (path: string): RowFile => new RowFile(connect(path))

/** Opens a file that is there as it is at this moment, also beside the process that works in it; only for looking at it. */
export const openRowsAsTheyAre = (path: string): RowFile => new RowFile(connectToLook(path))

/** Slots that are read at once. */
const SLOTS_AT_ONCE = 1_024

interface RawRow {
  slot: number
  record: unknown
}

/** What a transaction changes beside the tables. */
interface Changes {
  totals: Map<GalleryRecord, { count: number; sum: number }>
  slots: Slots
}

export class RowFile {
  readonly #file: Libsql.Database
  readonly #statements: RowStatements
  readonly #slots = new Slots()
  #lastSerial = 0
  #lastNumber: number

  constructor(file: Libsql.Database) {
    this.#file = file
    this.#statements = rowStatements(file)
    this.#lastNumber = (this.#statements.greatestNumber.get([]) as { number: number | null }).number ?? 0
    for (const { serial } of this.indexes()) this.#lastSerial = Math.max(this.#lastSerial, serial)
  }

  /** Whether the order of the file is whole, by SQLite's own check, and every record of a gallery. */
  isWhole(): boolean {
    const found = this.#file.prepare('PRAGMA quick_check').all([]) as { quick_check: string }[]
    return found.every(({ quick_check }) => quick_check === 'ok') && this.galleries().damaged === 0
  }

  /** The galleries whose record is whole, by their numbers, and how many records are not. */
  galleries(): { whole: GalleryRecord[]; damaged: number } {
    const found = this.#statements.galleries.all([]) as (GalleryRecord & { crc: number })[]
    const whole = found
      .filter(({ number, name, dimension, count, sum, crc }) => {
        return fieldsCheck(number, name, dimension, count, sum) === crc
      })
      .map(({ number, name, dimension, count, sum }) => galleryRecord(number, name, dimension, count, sum))
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

  /**
   * All rows, in no order that means anything, as they are. Only after all were looked at it is known which serials and
   * which places are free.
   */
  *rows(): Generator<StoredRow> {
    const last = (this.#statements.lastSlot.get([]) as { slot: number | null }).slot ?? 0
    for (let from = 1; from <= last; from += SLOTS_AT_ONCE) {
      for (const row of this.#range(from, from + SLOTS_AT_ONCE - 1)) {
        const free = isFree(row)
        this.#slots.seen(row.slot, row.bytes.length, free)
        if (free) continue
        if (row.serial > this.#lastSerial) this.#lastSerial = row.serial
        yield row
      }
    }
  }

  /** The rows of a damaged file that can be reached. */
  *readableRows(): Generator<StoredRow> {
    // No more can be in so many bytes, whatever is said of the last.
    const most = (this.#statements.bytes.get([]) as { bytes: number }).bytes / recordLength(1)
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
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      for (const row of this.#some(gallery.number, ids.slice(from, from + READ_AT_ONCE))) {
        if (isWholeRow(gallery, row)) found.set(row.id, vectorOf(row))
      }
    }
    return ids.map(id => found.get(id))
  }

  /** A gallery that has no rows yet. It is in the file with its first row, and goes with its last. */
  newGallery(name: string, dimension: number): GalleryRecord {
    return galleryRecord(++this.#lastNumber, name, dimension)
  }

  /** Above that of every row that is there, and of every index. */
  nextSerial(): number {
    return ++this.#lastSerial
  }

  /** Everything that is written in `work`, or nothing; it is on the disk when this returns. */
  transaction(work: (writer: RowWriter) => void): void {
    const changes: Changes = { totals: new Map(), slots: this.#slots }
    this.#file.exec('BEGIN IMMEDIATE')
    try {
      work(this.#writer(changes))
      for (const [gallery, totals] of changes.totals) this.#writeGallery({ ...gallery, ...totals })
      this.#file.exec('COMMIT')
    } catch (error) {
      this.#slots.takeBack()
      this.#abandon()
      throw error
    }
    this.#slots.keep()
    for (const [gallery, totals] of changes.totals) Object.assign(gallery, totals)
  }

  /** Makes a gallery's record say what its rows add up to. */
  correct(gallery: GalleryRecord, totals: { count: number; sum: number }): void {
    this.#writeGallery({ ...gallery, ...totals })
    Object.assign(gallery, totals)
  }

  /**
   * Empties the journal, which still has what removed rows were. False while another process reads the file, which keeps
   * the journal as it is.
   */
  wipeJournal(): boolean {
    return (this.#statements.checkpoint.get([]) as { busy: number }).busy === 0
  }

  /**
   * Folds the journal into the file, which is all that is left then. False while another process reads it. Statements
   * live until they are garbage-collected, and with a journal they would later remove that of who comes after.
   */
  close(): boolean {
    try {
      this.#file.exec('PRAGMA journal_mode = DELETE')
      return true
    } catch {
      return false
    } finally {
      this.#file.close()
    }
  }

  /** Ends a transaction that failed, and removes what it left in the journal: it would look like damage after a crash. */
  #abandon(): void {
    try {
      // A full disk has ended the transaction already.
      if (this.#file.inTransaction) this.#file.exec('ROLLBACK')
      this.wipeJournal()
    } catch {
      // The caller hears of the first failure.
    }
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
  #some(gallery: number, ids: readonly number[]): StoredRow[] {
    const spare = Array(READ_AT_ONCE - ids.length).fill(null)
    try {
      return decoded(this.#statements.some.all([gallery, ...ids, ...spare]))
    } catch (error) {
      if (!isDamage(error)) throw error
      return ids.length === 1 ? [] : ids.flatMap(id => this.#some(gallery, [id]))
    }
  }

  #writer({ totals, slots }: Changes): RowWriter {
    const { append, overwrite, wipe, place, removePlace, setIndex } = this.#statements
    const change = (gallery: GalleryRecord, count: number, crc: number) => {
      const { count: before, sum } = totals.get(gallery) ?? gallery
      totals.set(gallery, { count: before + count, sum: wrapped(sum + count * crc) })
    }
    const write = (gallery: GalleryRecord, id: number, bytes: Buffer, crc: number) => {
      const free = slots.takeFree(bytes.length)
      const slot = free ?? slots.takeNew()
      if (free === undefined) append.run([slot, bytes])
      else overwrite.run([bytes, slot])
      place.run([gallery.number, id, slot])
      change(gallery, 1, crc)
    }
    return {
      add: (gallery, id, vector) => {
        const { bytes, crc } = encodeRow(gallery, id, this.nextSerial(), vector)
        write(gallery, id, bytes, crc)
      },
      copy: (gallery, { id, crc, bytes }) => write(gallery, id, Buffer.from(bytes.buffer), crc),
      remove: (gallery, id) => {
        const [row] = this.#some(gallery.number, [id])
        removePlace.run([gallery.number, id])
        // Where the place is wrong, another row has it.
        if (row?.gallery !== gallery.number || row.id !== id) return
        wipe.run([row.slot])
        slots.give(row.slot, row.bytes.length)
        change(gallery, -1, row.crc)
      },
      setIndex: ({ gallery, serial, crc }) => setIndex.run([gallery, serial, crc]),
    }
  }

  #writeGallery({ number, name, dimension, count, sum }: GalleryRecord): void {
    const { setGallery, removeGallery, removeIndex } = this.#statements
    if (count > 0) {
      const crc = fieldsCheck(number, name, dimension, count, sum)
      setGallery.run([number, name, dimension, count, sum, crc])
      return
    }
    removeGallery.run([number])
    removeIndex.run([number])
  }
}

const decoded = (rows: unknown[]): StoredRow[] =>
  (rows as RawRow[]).map(({ slot, record }) => decodeRow(slot, record))
