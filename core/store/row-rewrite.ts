/** Writes a shard's file anew out of its whole rows: to give room back, and when the file's order is damaged. */
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { VectorFileLocked } from './folder-lock.ts'
import { openRowFile, type RowFile } from './row-file.ts'
import { type GalleryRecord, galleryRecord } from './row-reader.ts'
import { isWholeRow, type StoredRow } from './row-record.ts'
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
  /** Is told what has just been done. */
  onStep?: ((step: RewriteStep) => void) | undefined
}

/**
 * Replaces the file, which nobody has open. A crash at any moment leaves the old one or the new one. Throws
 * VectorFileLocked while another process reads it, and RowsDamaged when nothing of it can be read, or not all of it and
 * the old file is not to be kept.
 */
export function rewriteRows(path: string, { keepAs, onStep }: Rewriting = {}): void {
  const draft = `${path}.new`
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true })
  if (!rewrite(path, draft, keepAs === undefined)) throw new VectorFileLocked()
  sync(draft)
  onStep?.('copied')
  if (keepAs !== undefined) linkSync(path, keepAs)
  onStep?.('kept')
  renameSync(draft, path)
  sync(dirname(path))
  onStep?.('renamed')
}

/** False when the old file's journal is still there: it would be taken for that of the new file. */
function rewrite(path: string, draft: string, all: boolean): boolean {
  const source = openRowFile(path)
  let released = false
  try {
    const target = openRowFile(draft)
    try {
      if (all) copyAll(source, target, path)
      else copyRows(source, target, wholeAndOnce())
    } finally {
      target.close()
    }
  } finally {
    released = source.close()
  }
  return released
}

/** Whole rows, each once: where the order of a file is damaged, a page of it may be met twice. */
function wholeAndOnce(): typeof isWholeRow {
  const met = new Set<string>()
  return (gallery, row) => {
    const key = `${row.gallery}/${row.id}`
    if (met.has(key) || !isWholeRow(gallery, row)) return false
    met.add(key)
    return true
  }
}

function copyAll(source: RowFile, target: RowFile, path: string): void {
  if (!source.isWhole()) throw new RowsDamaged(path)
  copyRows(source, target, () => true)
  const totals = (file: RowFile) => JSON.stringify(file.galleries().whole)
  if (totals(source) !== totals(target)) throw new RowsDamaged(path)
}

function copyRows(source: RowFile, target: RowFile, takes: typeof isWholeRow): void {
  const galleries = new Map<number, GalleryRecord>()
  for (const { number, name, dimension } of source.galleries().whole) {
    galleries.set(number, galleryRecord(number, name, dimension))
  }
  const copy = (rows: readonly StoredRow[]) =>
    target.transaction(writer => {
      for (const row of rows) {
        const gallery = galleries.get(row.gallery)
        if (gallery && takes(gallery, row)) writer.copy(gallery, row)
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
  target.transaction(writer => {
    for (const index of source.indexes()) if (galleries.get(index.gallery)?.count) writer.setIndex(index)
  })
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
