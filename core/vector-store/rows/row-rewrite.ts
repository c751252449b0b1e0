/** Rewrites a shard's file: to free disk space, to repair its structure, or to change the form of its vectors. */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { VectorFileLocked } from '../folder-lock.ts'
import { openRowFile, type RowFile } from './row-file.ts'
import { type GalleryRecord, galleryRecord, type IndexRecord } from './row-reader.ts'
import { type RowForm, type RowOwner, type StoredRow, vectorOf } from './row-record.ts'
import { RowsDamaged } from './row-schema.ts'

/** Rows per transaction: few enough for memory, enough for speed. */
const ROWS_AT_ONCE = 4_096

export type RewriteStep = 'copied' | 'kept' | 'renamed'

interface Rewriting {
  /**
   * Path under which the old file stays. With it, the new file has all intact rows. Without it, the new file has all
   * rows, damaged ones too, or the rewrite fails.
   */
  keepAs?: string
  /** Form of the old file. */
  from: RowForm
  /** Form of the new file. If the forms differ, damaged vectors are left out and counted. */
  to: RowForm
  /** Receives the number of vectors that were left out. */
  onLost?: (vectors: number) => void
  /**
   * Returns the new record of an index; `ids` returns the ids of the rows that it can contain. Default: the record
   * stays.
   */
  renewed?: (index: IndexRecord, ids: () => ReadonlySet<number>) => IndexRecord
  /** Called after each step. */
  onStep?: (step: RewriteStep) => void
}

/**
 * Replaces the file, which must not be open. A crash leaves the old file or the new one. Throws VectorFileLocked while
 * another process reads it. Throws RowsDamaged when nothing can be read, or when something cannot and `keepAs` is not
 * set.
 */
export function rewriteRows(path: string, rewriting: Rewriting): void {
  const { keepAs, onStep } = rewriting
  const draft = `${path}.new`
  removeDraft(draft)
  try {
    if (!rewrite(path, draft, rewriting)) throw new VectorFileLocked()
    sync(draft)
  } catch (error) {
    // An incomplete draft would keep a full disk full.
    removeDraft(draft)
    throw error
  }
  onStep?.('copied')
  if (keepAs !== undefined) linkSync(path, keepAs)
  onStep?.('kept')
  renameSync(draft, path)
  sync(dirname(path))
  onStep?.('renamed')
}

function removeDraft(draft: string) {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true })
}

/** Returns false when the old file's journal is still there: SQLite would apply it to the new file. */
function rewrite(
  path: string,
  draft: string,
  { keepAs, from, to, onLost, renewed = index => index }: Rewriting,
) {
  const source = openRowFile(path, from)
  let released = false
  try {
    const target = openRowFile(draft, to)
    try {
      if (keepAs !== undefined) copyRows(source, target, wholeAndOnce())
      else if (from.mark !== to.mark) onLost?.(convertAll(source, target, path))
      else copyAll(source, target, path)
      copyIndexes(source, target, renewed)
    } finally {
      target.close()
    }
  } finally {
    released = source.close()
  }
  return released
}

type RowFilter = (gallery: RowOwner, row: StoredRow) => boolean

/** Accepts intact rows, each once: a file with a damaged structure may return a page twice. */
function wholeAndOnce(): RowFilter {
  const met = new Set<string>()
  return (gallery, row) => {
    const key = `${row.gallery}/${row.id}`
    if (met.has(key) || !vectorOf(gallery, row)) return false
    met.add(key)
    return true
  }
}

function copyAll(source: RowFile, target: RowFile, path: string) {
  if (!source.isWhole()) throw new RowsDamaged(path)
  copyRows(source, target)
  const totals = (file: RowFile) => JSON.stringify(file.galleries().whole)
  if (totals(source) !== totals(target)) throw new RowsDamaged(path)
}

/**
 * Returns the number of vectors left out. The structure of the file must be intact, because unreachable rows cannot be
 * counted.
 */
function convertAll(source: RowFile, target: RowFile, path: string) {
  if (!source.isWhole()) throw new RowsDamaged(path)
  copyRows(source, target)
  const rowsIn = (file: RowFile) => file.galleries().whole.reduce((sum, { count }) => sum + count, 0)
  return rowsIn(source) - rowsIn(target)
}

/** Copies the accepted rows. If the forms differ, copies only rows with a readable vector. */
function copyRows(source: RowFile, target: RowFile, accepts: RowFilter = () => true) {
  const isConverting = source.form.mark !== target.form.mark
  const galleries = new Map<number, { was: GalleryRecord; is: GalleryRecord }>()
  for (const was of source.galleries().whole) {
    const is = galleryRecord(target.form, was, isConverting ? undefined : was.storedName)
    galleries.set(was.number, { was, is })
  }
  const copy = (rows: readonly StoredRow[]) =>
    target.transaction(writer => {
      for (const row of rows) {
        const gallery = galleries.get(row.gallery)
        if (!gallery || !accepts(gallery.was, row)) continue
        const vector = isConverting ? vectorOf(gallery.was, row) : undefined
        if (vector) writer.convert(gallery.is, row, vector)
        else if (!isConverting) writer.copy(gallery.is, row)
      }
    })
  let rows: StoredRow[] = []
  for (const row of source.readableRows()) {
    rows.push(row)
    if (rows.length < ROWS_AT_ONCE) continue
    copy(rows)
    rows = []
  }
  copy(rows)
}

function copyIndexes(source: RowFile, target: RowFile, renewed: NonNullable<Rewriting['renewed']>) {
  const galleries = new Set(target.galleries().whole.map(({ number }) => number))
  target.transaction(writer => {
    for (const index of source.indexes()) {
      if (galleries.has(index.gallery)) writer.setIndex(renewed(index, () => idsOf(source, index)))
    }
  })
}

/** Ids of the rows that an index can contain. A newer row replaces the row of the index. */
function idsOf(source: RowFile, { gallery, serial }: IndexRecord): Set<number> {
  const ids = new Set<number>()
  for (const row of source.readableRows()) if (row.gallery === gallery && row.serial < serial) ids.add(row.id)
  return ids
}

/** Windows cannot open folders, and its file system has its own journal. */
function sync(path: string) {
  if (process.platform === 'win32') return
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
