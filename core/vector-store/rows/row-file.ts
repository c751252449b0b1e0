/** Primary storage of a shard: one libSQL file of galleries and their rows, written in transactions. All calls block. */
import type Libsql from 'libsql'
import { type GalleryRecord, galleryRecord, type IndexRecord, RowReader } from './row-reader.ts'
import { encodeRow, fieldsCheck, isFreeRow, type RowForm, type StoredRow, toUint32 } from './row-record.ts'
import { connect, type RowStatements, rowStatements } from './row-schema.ts'
import { Slots } from './row-slots.ts'

/** Operations of a transaction. */
interface RowWriter {
  /** Adds a row under a free id. */
  add(gallery: GalleryRecord, id: number, vector: Float32Array): void
  /** Copies a row of another file without a change. */
  copy(gallery: GalleryRecord, row: StoredRow): void
  /** Copies a row of another file, encoded in the form of this file. */
  convert(gallery: GalleryRecord, row: StoredRow, vector: Float32Array): void
  /** Overwrites the row with zeros. Does nothing when the row does not exist. */
  remove(gallery: GalleryRecord, id: number): void
  setIndex(index: IndexRecord): void
}

/** Opens or creates the file. Throws RowsDamaged when it is not a rows file, or has another form. */
export const openRowFile = (path: string, form: RowForm): RowFile =>
  new RowFile(connect(path, form.mark), form)

/** Changes of a transaction to state outside the tables. */
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

  /** Only a complete iteration finds the greatest serial and the free slots. */
  override *rows(): Generator<StoredRow> {
    for (const row of this.records()) {
      const free = isFreeRow(row)
      this.#slots.seen(row.slot, row.bytes.length, free)
      if (free) continue
      if (row.serial > this.#lastSerial) this.#lastSerial = row.serial
      yield row
    }
  }

  /** A new gallery without rows. The file has its record from the first row to the last. */
  newGallery(name: string, dimension: number): GalleryRecord {
    return galleryRecord(this.form, { number: ++this.#lastNumber, name, dimension })
  }

  /** A serial above the serials of all rows and indexes. */
  nextSerial(): number {
    return ++this.#lastSerial
  }

  /** Commits everything that `work` writes, or nothing. Durable when it returns. */
  transaction(work: (writer: RowWriter) => void): void {
    const changes: Changes = { totals: new Map(), slots: this.#slots }
    this.#file.exec('BEGIN IMMEDIATE')
    try {
      work(this.#writer(changes))
      for (const [gallery, totals] of changes.totals) this.#writeGallery({ ...gallery, ...totals })
      this.#file.exec('COMMIT')
    } catch (error) {
      this.#slots.takeBack()
      this.#rollBack()
      throw error
    }
    this.#slots.keep()
    for (const [gallery, totals] of changes.totals) Object.assign(gallery, totals)
  }

  /** Sets a gallery's record to the totals of its rows. */
  correct(gallery: GalleryRecord, totals: { count: number; sum: number }): void {
    this.#writeGallery({ ...gallery, ...totals })
    Object.assign(gallery, totals)
  }

  /**
   * Truncates the journal, which still has the content of removed rows. Returns false while another process reads the
   * file: the journal then stays.
   */
  wipeJournal(): boolean {
    return (this.#statements.checkpoint.get([]) as { busy: number }).busy === 0
  }

  /**
   * Moves the journal into the file and removes it. Returns false while another process reads the file. Statements live
   * until garbage collection: if they had a journal, they would later remove the journal of the next connection.
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

  /** Ends a failed transaction, and wipes its remains in the journal, which would look like damage after a crash. */
  #rollBack() {
    try {
      // A full disk has already ended the transaction.
      if (this.#file.inTransaction) this.#file.exec('ROLLBACK')
      this.wipeJournal()
    } catch {
      // The caller receives the first error.
    }
  }

  #writer({ totals, slots }: Changes): RowWriter {
    const { append, overwrite, wipe, place, removePlace, setIndex } = this.#statements
    const change = (gallery: GalleryRecord, count: number, crc: number) => {
      const { count: before, sum } = totals.get(gallery) ?? gallery
      totals.set(gallery, { count: before + count, sum: toUint32(sum + count * crc) })
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
        // When the position is wrong, the slot has another row.
        if (row?.gallery !== gallery.number || row.id !== id) return
        wipe.run([row.slot])
        slots.give(row.slot, row.bytes.length)
        change(gallery, -1, row.crc)
      },
      setIndex: ({ gallery, serial, crc }) => setIndex.run([gallery, serial, crc]),
    }
  }

  #writeGallery({ number, storedName, dimension, count, sum }: GalleryRecord) {
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
