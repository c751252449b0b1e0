/** Compaction: writes what is kept anew, while the store is stopped, and nothing else stays of what was removed. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DataKey } from '../sealing/seal.ts'
import { lockFolder } from './folder-lock.ts'
import { removeEarlier, removeNext, servedShards } from './generation.ts'
import { indexFileName, indexForm, readIndex } from './index-file.ts'
import { rowForm } from './row-form.ts'
import { journalFault } from './row-journal.ts'
import { isToBeMade, openRowsAsTheyAre, type RowReader } from './row-reader.ts'
import { type RewriteStep, rewriteRows } from './row-rewrite.ts'
import { RowsDamaged } from './row-schema.ts'
import { INDEXES, ROWS } from './shard-open.ts'

/**
 * Writes the files of all shards in the store's folder anew. Indexes in which a removed vector had a part are removed, to
 * be made anew by the next start; so is what was made for another embedder, and what was set aside as damaged. Resolves
 * with the paths of the latter. A crash leaves each file as it was or as it will be. Throws VectorFileLocked while the
 * service runs or anybody reads, and RowsDamaged, leaving all as it is, when a file is damaged: the next start of the
 * service puts it right, and says what is lost.
 */
export async function compactStore(folder: string, dataKey?: DataKey): Promise<string[]> {
  const lock = lockFolder(folder)
  try {
    await removeEarlier(folder)
    await removeNext(folder)
    const removed: string[] = []
    for (const shard of await servedShards(folder)) {
      const path = join(folder, shard)
      if (existsSync(join(path, ROWS))) removed.push(...(await compactShard(path, dataKey)))
    }
    return removed
  } finally {
    lock.release()
  }
}

async function compactShard(folder: string, dataKey: DataKey | undefined): Promise<string[]> {
  const path = join(folder, ROWS)
  compactRows(path, dataKey, undefined, await staleIndexes(folder, dataKey))
  const rows = openRowsAsTheyAre(path, rowForm(dataKey))
  const named = new Set(rows.indexes().map(indexFileName))
  rows.close()
  removeOthers(join(folder, INDEXES), name => named.has(name))
  return removeOthers(folder, name => !name.startsWith(`${ROWS}.damaged`))
}

/** The same for one file. Blocks. */
export function compactRows(
  path: string,
  dataKey?: DataKey,
  onStep?: (step: RewriteStep) => void,
  indexAnew?: ReadonlySet<number>,
): void {
  if (journalFault(`${path}-wal`) === 'damaged') throw new RowsDamaged(path)
  const form = rowForm(dataKey)
  rewriteRows(path, { from: form, to: form, onStep, indexAnew })
}

/** Numbers of the galleries whose index names a vector that is no more: the centroids are the means of such, too. */
async function staleIndexes(folder: string, dataKey: DataKey | undefined): Promise<Set<number>> {
  const rows = openRowsAsTheyAre(join(folder, ROWS), rowForm(dataKey))
  try {
    const stale = new Set<number>()
    for (const record of rows.indexes().filter(index => !isToBeMade(index))) {
      const path = join(folder, INDEXES, indexFileName(record))
      const index = await readIndex(path, record, record.crc, indexForm(dataKey))
      if (!index || !hasAll(rows, record.gallery, index.assignment.ids)) stale.add(record.gallery)
    }
    return stale
  } finally {
    rows.close()
  }
}

function hasAll(rows: RowReader, gallery: number, ids: Float64Array): boolean {
  const missing = new Set(ids)
  for (const row of rows.rows()) if (row.gallery === gallery) missing.delete(row.id)
  return missing.size === 0
}

/** Removes what is not to stay in a folder; the paths of it. */
function removeOthers(folder: string, stays: (name: string) => boolean): string[] {
  if (!existsSync(folder)) return []
  const gone = readdirSync(folder)
    .filter(name => !stays(name))
    .map(name => join(folder, name))
  for (const path of gone) rmSync(path, { recursive: true, force: true })
  return gone
}
