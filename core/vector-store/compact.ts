/** Compaction: writes what is kept anew, while the store is stopped, and nothing else stays of what was removed. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DataKey } from '../encryption/encrypt.ts'
import { lockFolder } from './folder-lock.ts'
import { removeEarlier, removeNext, servedShards } from './generation.ts'
import { indexFileName, indexForm, indexIn } from './index/index-file.ts'
import { rowForm } from './rows/row-form.ts'
import { journalFault } from './rows/row-journal.ts'
import { type IndexRecord, toBeMade } from './rows/row-reader.ts'
import { type RewriteStep, rewriteRows } from './rows/row-rewrite.ts'
import { RowsDamaged } from './rows/row-schema.ts'
import { INDEXES, ROWS } from './shard/shard-open.ts'

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
      if (existsSync(join(path, ROWS))) removed.push(...compactShard(path, dataKey))
    }
    return removed
  } finally {
    lock.release()
  }
}

function compactShard(folder: string, dataKey: DataKey | undefined): string[] {
  const indexes = compactRows(join(folder, ROWS), dataKey)
  removeOthers(join(folder, INDEXES), name => indexes.has(name))
  return removeOthers(folder, name => !name.startsWith(`${ROWS}.damaged`))
}

/** The same for one file; the names of the indexes that stay. Blocks. */
export function compactRows(
  path: string,
  dataKey?: DataKey,
  onStep?: (step: RewriteStep) => void,
): Set<string> {
  if (journalFault(`${path}-wal`) === 'damaged') throw new RowsDamaged(path)
  const form = rowForm(dataKey)
  const stay = new Set<string>()
  rewriteRows(path, {
    from: form,
    to: form,
    onStep,
    renewed(record, ids) {
      const name = indexFileName(record)
      if (!tellsOf(join(dirname(path), INDEXES, name), record, ids, dataKey)) return toBeMade(record.gallery)
      stay.add(name)
      return record
    },
  })
  return stay
}

/** Whether an index is whole and names nothing but these: the centroids are means of what it names, and tell of it too. */
function tellsOf(
  path: string,
  record: IndexRecord,
  ids: () => ReadonlySet<number>,
  dataKey: DataKey | undefined,
): boolean {
  const index = existsSync(path) && indexIn(readFileSync(path), path, record, record.crc, indexForm(dataKey))
  if (!index) return false
  const there = ids()
  return index.assignment.ids.every(id => there.has(id))
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
