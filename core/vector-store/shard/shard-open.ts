/** Opens the folder of a shard: repairs a damaged file, and loads everything into memory. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type CodeMemory, openCodeMemory } from '../codes/int8-codes.ts'
import type { Index } from '../index/index-file.ts'
import { openRowFile, type RowFile } from '../rows/row-file.ts'
import { journalFault } from '../rows/row-journal.ts'
import { rowForm } from '../rows/row-record.ts'
import { rewriteRows } from '../rows/row-rewrite.ts'
import { isDamage, RowsDamaged } from '../rows/row-schema.ts'
import { IndexLifecycle, type IndexSettings } from './index-lifecycle.ts'
import type { ShardGallery } from './shard-gallery.ts'
import { loadGalleries, loadRows } from './shard-load.ts'

/** File name in the shard's folder. */
export const ROWS = 'rows.db'

/** Name of the folder of indexes in the shard's folder. */
export const INDEXES = 'index'

export interface OpenedShard {
  readonly rows: RowFile
  readonly memory: CodeMemory
  readonly indexes: IndexLifecycle
  /** By gallery name. */
  readonly galleries: Map<string, ShardGallery>
}

/**
 * Opens a shard. Throws RowsDamaged when the file cannot be read at all; reports other damage and serves the intact
 * rows.
 */
export async function openFolder(folder: string, settings: IndexSettings): Promise<OpenedShard> {
  const path = join(folder, ROWS)
  reportJournal(path, settings)
  const opened = await openWhole(path, folder, settings)
  if (opened) return opened
  const keepAs = freePath(`${path}.damaged`)
  const form = rowForm(settings.dataKey)
  rewriteRows(path, { keepAs, from: form, to: form })
  settings.onDamage(
    `${path} was damaged, and what is whole of it is served. The old file is kept as ${keepAs}: remove it when nobody ` +
      'needs it any more, for what is deleted from now on is still in it.',
  )
  const again = await openWhole(path, folder, settings)
  if (!again) throw new RowsDamaged(path)
  return again
}

function reportJournal(path: string, { onDamage }: IndexSettings): void {
  const fault = journalFault(`${path}-wal`)
  if (fault === 'damaged')
    onDamage(`The journal of ${path} is damaged. The last vectors are as they were before.`)
  if (fault === 'cut') onDamage(`The journal of ${path} ends within a transaction, which is left out.`)
}

/** Undefined when the structure of the file is damaged or a row belongs to nothing: the file must be rewritten. */
async function openWhole(
  path: string,
  folder: string,
  settings: IndexSettings,
): Promise<OpenedShard | undefined> {
  const rows = openRowFile(path, rowForm(settings.dataKey))
  try {
    if (rows.isWhole()) {
      const memory = await openCodeMemory()
      const indexes = new IndexLifecycle(join(folder, INDEXES), rows, settings)
      const galleries = loadGalleries(rows, memory)
      const found = await indexes.read(galleries)
      if (loadRows(rows, galleries, found, settings.onDamage)) {
        return { rows, memory, indexes, galleries: byName(galleries, indexes, found) }
      }
    }
  } catch (error) {
    if (!isDamage(error)) {
      rows.close()
      throw error
    }
  }
  rows.close()
  return undefined
}

/** Galleries with rows, by name. Activates their indexes, and starts to build the missing ones. */
function byName(
  galleries: ReadonlyMap<number, ShardGallery>,
  indexes: IndexLifecycle,
  found: ReadonlyMap<number, Index>,
): Map<string, ShardGallery> {
  const named = new Map<string, ShardGallery>()
  for (const [number, gallery] of galleries) {
    if (gallery.isEmpty) continue
    named.set(gallery.record.name, gallery)
    const index = found.get(number)
    if (index) indexes.loaded(gallery, index)
    indexes.consider(gallery)
  }
  return named
}

/** The path, or the first one with a number appended, that does not exist. */
function freePath(path: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${path}-${number}`
    if (!existsSync(free)) return free
  }
}
