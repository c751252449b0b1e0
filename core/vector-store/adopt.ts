/** Migrates the vector file of version 0.1.0, which has no checksums, into the store. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { isBusy, VectorFileLocked } from './folder-lock.ts'
import { isDamage, RowsDamaged } from './rows/row-schema.ts'
import type { VectorEntry, VectorStore } from './vector-store.ts'

/** File name of version 0.1.0 in the store's folder. */
export const OLDER_FILE = 'exact.db'

/** Vectors per batch. */
const STRIDE = 1_000

/**
 * Moves the vectors of the version 0.1.0 file into the store, then removes the file. Does nothing without that file. An
 * interrupted migration resumes at the next opening: vectors that the store already has are skipped. Throws
 * VectorFileLocked while version 0.1.0 runs, and RowsDamaged when the file is damaged.
 */
export async function adoptOlderFile(folder: string, store: VectorStore): Promise<void> {
  const path = join(folder, OLDER_FILE)
  if (!existsSync(path)) return
  const file = openAlone(path)
  try {
    const rows = file.prepare('SELECT gallery, id, vector FROM vectors').iterate([]) as Iterable<OlderRow>
    let entries: VectorEntry[] = []
    for (const { gallery, id, vector } of rows) {
      entries.push({ gallery, id, vector: new Float32Array(vector) })
      if (entries.length < STRIDE) continue
      await addMissing(store, entries)
      entries = []
    }
    await addMissing(store, entries)
  } finally {
    file.close()
  }
  for (const end of ['-wal', '-shm', '-journal', '']) rmSync(path + end, { force: true })
}

interface OlderRow {
  gallery: string
  id: number
  vector: ArrayBuffer
}

/** Takes the lock that version 0.1.0 holds while it runs, and checkpoints the journal into the file. */
function openAlone(path: string): Libsql.Database {
  const file = new Libsql(path)
  try {
    file.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT;')
    return file
  } catch (error) {
    file.close()
    if (isBusy(error)) throw new VectorFileLocked({ cause: error })
    throw isDamage(error) ? new RowsDamaged(path, { cause: error }) : error
  }
}

async function addMissing(store: VectorStore, entries: readonly VectorEntry[]): Promise<void> {
  const stored = await Promise.all(entries.map(entry => store.get(entry)))
  const missing = entries.filter((_, i) => !stored[i])
  if (missing.length > 0) await store.add(missing)
}
