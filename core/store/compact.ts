/** Compaction: gives the room of removed vectors back to the disk, while the store is stopped. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DataKey } from '../sealing/seal.ts'
import { lockFolder } from './folder-lock.ts'
import { servedShards } from './generation.ts'
import { rowForm } from './row-form.ts'
import { journalFault } from './row-journal.ts'
import { type RewriteStep, rewriteRows } from './row-rewrite.ts'
import { RowsDamaged } from './row-schema.ts'
import { ROWS } from './shard-open.ts'

/**
 * Writes the files of all shards in the store's folder anew; blocks until that is done. A crash leaves each as it was or as
 * it will be. Throws VectorFileLocked while the service runs or anybody reads, and RowsDamaged, leaving all as it is,
 * when a file is damaged: the next start of the service puts it right, and says what is lost.
 */
export async function compactStore(
  folder: string,
  dataKey?: DataKey,
  onStep?: (step: RewriteStep) => void,
): Promise<void> {
  const lock = lockFolder(folder)
  try {
    for (const shard of await servedShards(folder)) {
      const path = join(folder, shard, ROWS)
      if (existsSync(path)) compactRows(path, dataKey, onStep)
    }
  } finally {
    lock.release()
  }
}

/** The same for one file. */
export function compactRows(path: string, dataKey?: DataKey, onStep?: (step: RewriteStep) => void): void {
  if (journalFault(`${path}-wal`) === 'damaged') throw new RowsDamaged(path)
  const form = rowForm(dataKey)
  rewriteRows(path, { from: form, to: form, onStep })
}
