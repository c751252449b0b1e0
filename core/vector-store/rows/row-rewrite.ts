/** Writes a shard's file anew: to give room back, when its order is damaged, and to have its vectors in another form. */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { VectorFileLocked } from '../folder-lock.ts'
import { openRowFile, type RowFile } from './row-file.ts'
import type { RowForm } from './row-form.ts'
import { type GalleryRecord, galleryRecord, type IndexRecord } from './row-reader.ts'
import { type RowOwner, type StoredRow, vectorOf } from './row-record.ts'
import { RowsDamaged } from './row-schema.ts'

/** Rows of one transaction: few enough for memory, enough to be quick. */
const ROWS_AT_ONCE = 4_096

export type RewriteStep = 'copied' | 'kept' | 'renamed'

export interface Rewriting {
  /**
   * A path under which the old file stays. When it is given, the new file has what is whole of the old one; else it has
   * all of it, damaged rows too, or is not made.
   */
  keepAs?: string | undefined
  /** The form of the file. */
  from: RowForm
  /** Its form from then on. Where that is another one, vectors that are damaged are left behind, and counted. */
  to: RowForm
  onLost?: ((vectors: number) => void) | undefined
  /** What becomes of an index; `ids` are those of its gallery's rows. It stays as it is when this is absent. */
  renewed?: ((index: IndexRecord, ids: () => ReadonlySet<number>) => IndexRecord) | undefined
  /** Is told what has just been done. */
  onStep?: ((step: RewriteStep) => void) | undefined
}

/**
 * Replaces the file, which nobody has open. A crash at any moment leaves the old one or the new one. Throws
 * VectorFileLocked while another process reads it, and RowsDamaged when nothing of it can be read, or not all of it and
 * the old file is not to be kept.
 */
export function rewriteRows(path: string, rewriting: Rewriting): void {
  const { keepAs, onStep } = rewriting
  const draft = `${path}.new`
  removeDraft(draft)
  try {
    if (!rewrite(path, draft, rewriting)) throw new VectorFileLocked()
    sync(draft)
  } catch (error) {
    // A full disk is not kept full by half a file.
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

function removeDraft(draft: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true })
}

/** False when the old file's journal is still there: it would be taken for that of the new file. */
function rewrite(
  path: string,
  draft: string,
  { keepAs, from, to, onLost, renewed = index => index }: Rewriting,
): boolean {
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

type Takes = (gallery: RowOwner, row: StoredRow) => boolean

/** Whole rows, each once: where the order of a file is damaged, a page of it may be met twice. */
function wholeAndOnce(): Takes {
  const met = new Set<string>()
  return (gallery, row) => {
    const key = `${row.gallery}/${row.id}`
    if (met.has(key) || !vectorOf(gallery, row)) return false
    met.add(key)
    return true
  }
}

function copyAll(source: RowFile, target: RowFile, path: string): void {
  if (!source.isWhole()) throw new RowsDamaged(path)
  copyRows(source, target)
  const totals = (file: RowFile) => JSON.stringify(file.galleries().whole)
  if (totals(source) !== totals(target)) throw new RowsDamaged(path)
}

/** How many vectors are left behind. The order of the file has to be whole: what can't be reached could not be counted. */
function convertAll(source: RowFile, target: RowFile, path: string): number {
  if (!source.isWhole()) throw new RowsDamaged(path)
  copyRows(source, target)
  const rowsIn = (file: RowFile) => file.galleries().whole.reduce((sum, { count }) => sum + count, 0)
  return rowsIn(source) - rowsIn(target)
}

/** Of those that it takes, rows as they are; in another form, those whose vectors can be read. */
function copyRows(source: RowFile, target: RowFile, takes: Takes = () => true): void {
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
        if (!gallery || !takes(gallery.was, row)) continue
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

function copyIndexes(source: RowFile, target: RowFile, renewed: NonNullable<Rewriting['renewed']>): void {
  const galleries = new Set(target.galleries().whole.map(({ number }) => number))
  target.transaction(writer => {
    for (const index of source.indexes()) {
      if (galleries.has(index.gallery)) writer.setIndex(renewed(index, () => idsOf(source, index.gallery)))
    }
  })
}

function idsOf(source: RowFile, gallery: number): Set<number> {
  const ids = new Set<number>()
  for (const row of source.readableRows()) if (row.gallery === gallery) ids.add(row.id)
  return ids
}

/** Windows can't open folders, and keeps a journal of its own. */
function sync(path: string): void {
  if (process.platform === 'win32') return
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
