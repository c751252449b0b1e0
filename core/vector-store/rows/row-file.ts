/** The truth of a shard: one libSQL file of galleries and their rows, written in transactions. All calls block. */
import type Libsql from 'libsql'
import { PLAINTEXT, type RowForm } from './row-form.ts'
import { type GalleryRecord, galleryRecord, type IndexRecord, RowReader } from './row-reader.ts'
import { encodeRow, fieldsCheck, isFree, type StoredRow, wrapped } from './row-record.ts'
import { connect } from './row-schema.ts'
import { Slots } from './row-slots.ts'
import { type RowStatements, rowStatements } from './row-statements.ts'

/** What a transaction can do. */
export interface RowWriter {
  /** Under an id that is not taken. */
  add(gallery: GalleryRecord, id: number, vector: Float32Array): void
  /** A row as it was in another file. */
  copy(gallery: GalleryRecord, row: StoredRow): void
  /** A row of another file, written in the form of this one. */
  convert(gallery: GalleryRecord, row: StoredRow, vector: Float32Array): void
  /** Overwrites the row. Nothing happens when there is no such row. */
  remove(gallery: GalleryRecord, id: number): void
  setIndex(index: IndexRecord): void
}

/** Opens the file or makes it. Throws RowsDamaged when it is no such file, or of another form. */
export const openRowFile = (path: string, form: RowForm = PLAINTEXT): RowFile =>
  new RowFile(connect(path, form.mark), form)

/** What a transaction changes beside the tables. */
interface Changes {
  totals: Map<GalleryRecord, { count: number; sum: number }>
  slots: Slots
}

export class RowFile extends RowReader {
  readonly #file: Libsql.Database
  readonly #statements: RowStatements
  readonly #slots = new Slots()
  #lastSerial = 0
  #lastNumber: number

  constructor(file: Libsql.Database, form: RowForm) {
    const statements = rowStatements(file)
    super(file, statements, form)
    this.#file = file
    this.#statements = statements
    this.#lastNumber = (this.#statements.greatestNumber.get([]) as { number: number | null }).number ?? 0
    for (const { serial } of this.indexes()) this.#lastSerial = Math.max(this.#lastSerial, serial)
  }

  /** Only after all were looked at it is known which serials and which places are free. */
  override *rows(): Generator<StoredRow> {
    for (const row of this.records()) {
      const free = isFree(row)
      this.#slots.seen(row.slot, row.bytes.length, free)
      if (free) continue
      if (row.serial > this.#lastSerial) this.#lastSerial = row.serial
      yield row
    }
  }

  /** A gallery that has no rows yet. It is in the file with its first row, and goes with its last. */
  newGallery(name: string, dimension: number): GalleryRecord {
    return galleryRecord(this.form, { number: ++this.#lastNumber, name, dimension })
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
  override close(): boolean {
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
      convert: (gallery, { id, serial }, vector) => {
        const { bytes, crc } = encodeRow(gallery, id, serial, vector)
        write(gallery, id, bytes, crc)
      },
      remove: (gallery, id) => {
        const [row] = this.some(gallery.number, [id])
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

  #writeGallery({ number, storedName, dimension, count, sum }: GalleryRecord): void {
    const { setGallery, removeGallery, removeIndex } = this.#statements
    if (count > 0) {
      const crc = fieldsCheck(number, storedName, dimension, count, sum)
      setGallery.run([number, storedName, dimension, count, sum, crc])
      return
    }
    removeGallery.run([number])
    removeIndex.run([number])
  }
}
