/** Opens what a shard's folder has: the file, put right where it is damaged, and everything in memory. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DataKey } from '../../encryption/encrypt.ts'
import { type CodeMemory, openCodeMemory } from '../codes/code-memory.ts'
import type { Index } from '../index/index-file.ts'
import { IndexLifecycle, type IndexStep } from '../index/index-lifecycle.ts'
import { openRowFile, type RowFile } from '../rows/row-file.ts'
import { rowForm } from '../rows/row-form.ts'
import { journalFault } from '../rows/row-journal.ts'
import { rewriteRows } from '../rows/row-rewrite.ts'
import { isDamage, RowsDamaged } from '../rows/row-schema.ts'
import type { ShardGallery } from './shard-gallery.ts'
import { loadGalleries, loadRows } from './shard-load.ts'
import type { Damage } from './shard-settings.ts'

/** The name of the file in the shard's folder. */
export const ROWS = 'rows.db'

/** The name of the folder of indexes in it. */
export const INDEXES = 'index'

export interface OpenedShard {
  readonly rows: RowFile
  readonly memory: CodeMemory
  readonly indexes: IndexLifecycle
  /** By their names. */
  readonly galleries: Map<string, ShardGallery>
}

export interface OpeningSettings {
  indexAbove: number
  onDamage: Damage
  dataKey?: DataKey | undefined
  onStep?: ((step: IndexStep) => void) | undefined
}

/** Throws RowsDamaged when the file can't be read at all; else damage is reported, and what is whole is served. */
export async function openFolder(folder: string, settings: OpeningSettings): Promise<OpenedShard> {
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

function reportJournal(path: string, { onDamage }: OpeningSettings): void {
  const fault = journalFault(`${path}-wal`)
  if (fault === 'damaged')
    onDamage(`The journal of ${path} is damaged. The last vectors are as they were before.`)
  if (fault === 'cut') onDamage(`The journal of ${path} ends within a transaction, which is left out.`)
}

/** Undefined when the file's order is damaged, or something in it belongs to nothing: it has to be written anew. */
async function openWhole(
  path: string,
  folder: string,
  settings: OpeningSettings,
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

/** Galleries that have rows. Their indexes are in force from now on, and made where they are missing. */
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

/** The path, or the first with a number behind it, where nothing is. */
function freePath(path: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${path}-${number}`
    if (!existsSync(free)) return free
  }
}
