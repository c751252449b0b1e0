/** The truth of a shard: one libSQL file of galleries and their rows, each with a check. All calls block. */
import type Libsql from 'libsql'
import { fieldsCheck, gallerySeed, rowCheck, wrapped } from './row-check.ts'
import { connect, isDamage } from './row-schema.ts'

/** What the file says of a gallery. Rows that are damaged count as well: they are there. */
export interface GalleryRecord {
  readonly number: number
  readonly name: string
  readonly dimension: number
  /** row-check.ts */
  readonly seed: number
  /** Rows, and the sum of their checks. Only a RowFile changes them. */
  count: number
  sum: number
}

export interface StoredRow {
  /** Number of its gallery. */
  gallery: number
  id: number
  serial: number
  crc: number
  vector: Uint8Array
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
  /** Nothing happens when there is no such row. */
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

export const isWholeRow = ({ seed, dimension }: GalleryRecord, row: StoredRow): boolean =>
  row.vector.length === 4 * dimension &&
  Number.isSafeInteger(row.id) &&
  rowCheck(seed, row.id, row.serial, row.vector) === row.crc

/** What SQLite gives: a changed byte may make anything of a column. A single row comes as a view of shared memory. */
type RawRow = Record<keyof StoredRow, unknown>

const NOT_A_VECTOR = new Uint8Array(0)

const rowOf = ({ gallery, id, serial, crc, vector }: RawRow): StoredRow => ({
  gallery: Number(gallery),
  id: Number(id),
  serial: Number(serial),
  crc: Number(crc),
  vector:
    vector instanceof ArrayBuffer || vector instanceof Uint8Array ? new Uint8Array(vector) : NOT_A_VECTOR,
})

/** Rows that one statement reads: about what a search compares. */
const READ_AT_ONCE = 64

/** Opens the file or makes it. Throws RowsDamaged when it is no such file. */
export const openRowFile = (path: string): RowFile => new RowFile(connect(path))

export class RowFile {
  readonly #file: Libsql.Database
  readonly #statements: ReturnType<typeof statements>
  #lastSerial: number
  #lastNumber: number

  constructor(file: Libsql.Database) {
    this.#file = file
    this.#statements = statements(file)
    this.#lastNumber = this.#greatest('SELECT max(seq) AS n FROM sqlite_sequence')
    this.#lastNumber = Math.max(this.#lastNumber, this.#greatest('SELECT max(number) AS n FROM galleries'))
    this.#lastSerial = this.#greatest('SELECT max(serial) AS n FROM indexes')
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

  /** All rows by gallery and id, as they are. Only after all were looked at is the next serial a new one. */
  *rows(): Generator<StoredRow> {
    for (const raw of this.#statements.rows.iterate([]) as Iterable<RawRow>) {
      const row = rowOf(raw)
      if (row.serial > this.#lastSerial) this.#lastSerial = row.serial
      yield row
    }
  }

  /** The rows that can be reached from either end of a damaged file. */
  *readableRows(): Generator<StoredRow> {
    let last: StoredRow | undefined
    const rising = this.#file.prepare(`SELECT ${ROW} FROM rows ORDER BY gallery, id`)
    for (const row of untilDamage(rising)) {
      last = row
      yield row
    }
    const falling = this.#file
      .prepare(`SELECT ${ROW} FROM rows ORDER BY gallery DESC, id DESC`)
      .safeIntegers()
    for (const row of untilDamage(falling)) {
      if (last && (row.gallery < last.gallery || (row.gallery === last.gallery && row.id <= last.id))) return
      yield row
    }
  }

  /** At most `count` rows of a gallery whose id is `from` or above, by rising id, as they are. */
  page(gallery: GalleryRecord, from: number, count: number): StoredRow[] {
    return (this.#statements.page.all([gallery.number, from, count]) as RawRow[]).map(rowOf)
  }

  /** The vectors of these ids, in their order; undefined where there is no row, or not a whole one. */
  vectors(gallery: GalleryRecord, ids: readonly number[]): (Float32Array | undefined)[] {
    const found = new Map<number, Float32Array>()
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      for (const row of this.#some(gallery, ids.slice(from, from + READ_AT_ONCE))) {
        if (isWholeRow(gallery, row)) found.set(row.id, new Float32Array(row.vector.buffer))
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
    const changed = new Map<GalleryRecord, { count: number; sum: number }>()
    this.#file.exec('BEGIN IMMEDIATE')
    try {
      work(this.#writer(changed))
      for (const [gallery, { count, sum }] of changed) this.#writeGallery({ ...gallery, count, sum })
      this.#file.exec('COMMIT')
    } catch (error) {
      this.#abandon()
      throw error
    }
    for (const [gallery, totals] of changed) Object.assign(gallery, totals)
  }

  /** Makes a gallery's record say what its rows add up to. */
  correct(gallery: GalleryRecord, totals: { count: number; sum: number }): void {
    this.#writeGallery({ ...gallery, ...totals })
    Object.assign(gallery, totals)
  }

  /**
   * Empties the journal, which still has what removed rows were: their pages have been wiped by secure_delete. False
   * while another process reads the file, which keeps the journal as it is.
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

  /** Where the order of the file is damaged, what can be reached. */
  #some({ number }: GalleryRecord, ids: readonly number[]): StoredRow[] {
    const read = (some: readonly number[]) => {
      const places = [...some, ...Array(READ_AT_ONCE - some.length).fill(null)]
      return (this.#statements.some.all([number, ...places]) as RawRow[]).map(rowOf)
    }
    try {
      return read(ids)
    } catch (error) {
      if (!isDamage(error)) throw error
      return ids.length === 1 ? [] : ids.flatMap(id => this.#some({ number } as GalleryRecord, [id]))
    }
  }

  #writer(changed: Map<GalleryRecord, { count: number; sum: number }>): RowWriter {
    const { insert, remove, check, setIndex } = this.#statements
    const change = (gallery: GalleryRecord, count: number, crc: number) => {
      const totals = changed.get(gallery) ?? gallery
      changed.set(gallery, { count: totals.count + count, sum: wrapped(totals.sum + count * crc) })
    }
    const copy = (gallery: GalleryRecord, { id, serial, crc, vector }: Omit<StoredRow, 'gallery'>) => {
      const { buffer, byteOffset, byteLength } = vector
      insert.run([gallery.number, id, serial, crc, Buffer.from(buffer, byteOffset, byteLength)])
      change(gallery, 1, crc)
    }
    return {
      copy,
      add: (gallery, id, { buffer, byteOffset, byteLength }) => {
        const vector = new Uint8Array(buffer, byteOffset, byteLength)
        const serial = this.nextSerial()
        copy(gallery, { id, serial, vector, crc: rowCheck(gallery.seed, id, serial, vector) })
      },
      remove: (gallery, id) => {
        const row = check.get([gallery.number, id]) as { crc: number } | undefined
        if (!row) return
        remove.run([gallery.number, id])
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

  #greatest(query: string): number {
    return (this.#file.prepare(query).get([]) as { n: number | null }).n ?? 0
  }
}

const ROW = 'gallery, id, serial, crc, vector'

function* untilDamage(rows: Libsql.Statement): Generator<StoredRow> {
  try {
    for (const row of rows.iterate([]) as Iterable<RawRow>) yield rowOf(row)
  } catch (error) {
    if (!isDamage(error)) throw error
  }
}

const statements = (file: Libsql.Database) => ({
  galleries: file.prepare('SELECT number, name, dimension, count, sum, crc FROM galleries ORDER BY number'),
  indexes: file.prepare('SELECT gallery, serial, crc FROM indexes'),
  rows: file.prepare(`SELECT ${ROW} FROM rows ORDER BY gallery, id`),
  page: file.prepare(`SELECT ${ROW} FROM rows WHERE gallery = ? AND id >= ? ORDER BY id LIMIT ?`),
  some: file.prepare(
    `SELECT ${ROW} FROM rows WHERE gallery = ? AND id IN (${Array(READ_AT_ONCE).fill('?').join(', ')})`,
  ),
  check: file.prepare('SELECT crc FROM rows WHERE gallery = ? AND id = ?'),
  insert: file.prepare(`INSERT INTO rows (${ROW}) VALUES (?, ?, ?, ?, ?)`),
  remove: file.prepare('DELETE FROM rows WHERE gallery = ? AND id = ?'),
  setGallery: file.prepare('INSERT OR REPLACE INTO galleries VALUES (?, ?, ?, ?, ?, ?)'),
  removeGallery: file.prepare('DELETE FROM galleries WHERE number = ?'),
  setIndex: file.prepare('INSERT OR REPLACE INTO indexes VALUES (?, ?, ?)'),
  removeIndex: file.prepare('DELETE FROM indexes WHERE gallery = ?'),
  checkpoint: file.prepare('PRAGMA wal_checkpoint(TRUNCATE)'),
})
