/** Rewrites the files of a stopped store: without traces of removed vectors, or in the form of another data key. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DataKey } from '../encryption/encrypt.ts'
import { convertFile } from '../encryption/file-form.ts'
import { replaceAndWipe, syncFolder } from '../files/durable.ts'
import { lockFolder } from './folder-lock.ts'
import { removeEarlier, removeNext, servedShards, shardsIn } from './generation.ts'
import { indexFileName, indexForm, indexIn } from './index/index-file.ts'
import { requireKnownStore } from './open.ts'
import { journalFault } from './rows/row-journal.ts'
import { type IndexRecord, unbuiltIndex } from './rows/row-reader.ts'
import { rowForm } from './rows/row-record.ts'
import { type RewriteStep, rewriteRows } from './rows/row-rewrite.ts'
import { RowsDamaged } from './rows/row-schema.ts'
import { INDEXES, ROWS } from './shard/shard-open.ts'

/**
 * Rewrites the files of all shards in the store's folder. Removes indexes that contain a removed or replaced vector (the next start
 * rebuilds them), the vectors of other generations, and damaged files that were set aside. Resolves with the paths of the set-aside
 * files. A crash leaves each file either old or rewritten. Throws VectorFileLocked while the service runs or another process reads,
 * and LayoutRefused when a later version wrote the files. Throws RowsDamaged when a file is damaged, and leaves this file
 * unchanged: the next start of the service repairs it and reports the loss.
 */
export async function compactStore(folder: string, dataKey?: DataKey): Promise<string[]> {
  await requireKnownStore(folder)
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

/** Compacts one file. Returns the names of the index files that stay. Blocks. Throws VectorFileLocked and RowsDamaged. */
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
      if (!hasOnlyStoredIds(join(dirname(path), INDEXES, name), record, ids, dataKey))
        return unbuiltIndex(record.gallery)
      stay.add(name)
      return record
    },
  })
  return stay
}

/**
 * Whether an index file is whole and contains only these ids. Centroids are means of the indexed vectors, and carry
 * traces of removed and replaced ones.
 */
function hasOnlyStoredIds(
  path: string,
  record: IndexRecord,
  ids: () => ReadonlySet<number>,
  dataKey: DataKey | undefined,
) {
  const index = existsSync(path) && indexIn(readFileSync(path), path, record, record.crc, indexForm(dataKey))
  if (!index) return false
  const stored = ids()
  return index.assignment.ids.every(id => stored.has(id))
}

/** Removes the entries of a folder for which `stays` is false. Returns their paths. */
function removeOthers(folder: string, stays: (name: string) => boolean): string[] {
  if (!existsSync(folder)) return []
  const removed = readdirSync(folder)
    .filter(name => !stays(name))
    .map(name => join(folder, name))
  for (const path of removed) rmSync(path, { recursive: true, force: true })
  return removed
}

interface StoreConversion {
  from: DataKey | undefined
  to: DataKey | undefined
  /** Receives a message about damaged vectors, which are not converted. */
  onLost(what: string): void
  /** Ends the conversion. */
  signal?: AbortSignal
}

/** Converts the files of all shards of a folder that no process has opened. Throws RowsDamaged. */
export async function convertStore(folder: string, conversion: StoreConversion): Promise<void> {
  for (const shard of await shardsIn(folder)) {
    conversion.signal?.throwIfAborted()
    const path = join(folder, shard, ROWS)
    if (existsSync(path)) await convertRows(path, conversion)
    await convertIndexes(join(folder, shard, INDEXES), conversion)
  }
}

async function convertRows(path: string, { from, to, onLost }: StoreConversion) {
  if (journalFault(`${path}-wal`) === 'damaged') throw new RowsDamaged(path)
  await replaceAndWipe(path, () =>
    rewriteRows(path, {
      from: rowForm(from),
      to: rowForm(to),
      onLost: vectors => {
        if (vectors > 0) onLost(`${vectors} vectors of ${path} are damaged.`)
      },
    }),
  )
}

/** Removes damaged indexes and drafts of interrupted writes; the next start rebuilds missing indexes. */
async function convertIndexes(folder: string, { from, to }: StoreConversion) {
  if (!existsSync(folder)) return
  const forms = { from: indexForm(from), to: indexForm(to) }
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!name.endsWith('.ivf') || !(await convertFile(path, name, forms, folder))) await rm(path)
  }
  await syncFolder(folder)
}
