/** Converts the store's files to another data key, or between encrypted and plaintext storage. */
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type DataKey, markOf } from '../encryption/encrypt.ts'
import { convertFile } from '../encryption/file-form.ts'
import { replaceAndWipe, syncFolder } from '../files/durable.ts'
import { OLDER_FILE } from './adopt.ts'
import { shardsIn } from './generation.ts'
import { indexForm } from './index/index-file.ts'
import { rowForm } from './rows/row-form.ts'
import { journalFault } from './rows/row-journal.ts'
import { type RewriteStep, rewriteRows } from './rows/row-rewrite.ts'
import { markAtRest, RowsDamaged } from './rows/row-schema.ts'
import { INDEXES, ROWS } from './shard/shard-open.ts'

export interface StoreConversion {
  from: DataKey | undefined
  to: DataKey | undefined
  /** Receives a message about damaged vectors, which are not converted. */
  onLost(what: string): void
  onStep?: ((step: RewriteStep | 'indexes') => void) | undefined
}

/** Files in the store's folder that cannot be converted: set-aside damaged files, and the file of version 0.1.0. */
export async function unconvertible(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names
    .filter(name => basename(name).includes('.damaged') || name === OLDER_FILE)
    .map(name => join(folder, name))
}

/**
 * Converts the files of all shards. The caller holds the folder's lock. Skips files that already have the target form.
 * A crash leaves each file either old or converted. Throws RowsDamaged.
 */
export async function convertStore(folder: string, conversion: StoreConversion): Promise<void> {
  for (const shard of await shardsIn(folder)) {
    const path = join(folder, shard, ROWS)
    if (existsSync(path)) await convertRows(path, conversion)
    await convertIndexes(join(folder, shard, INDEXES), conversion)
    conversion.onStep?.('indexes')
  }
}

async function convertRows(path: string, { from, to, onLost, onStep }: StoreConversion): Promise<void> {
  if (journalFault(`${path}-wal`) === 'damaged') throw new RowsDamaged(path)
  if (markAtRest(path) === markOf(to)) return
  await replaceAndWipe(path, () =>
    rewriteRows(path, {
      from: rowForm(from),
      to: rowForm(to),
      onStep,
      onLost: vectors => {
        if (vectors > 0) onLost(`${vectors} vectors of ${path} are damaged.`)
      },
    }),
  )
}

/** Removes damaged indexes and drafts of interrupted writes; the next start rebuilds missing indexes. */
async function convertIndexes(folder: string, { from, to }: StoreConversion): Promise<void> {
  if (!existsSync(folder)) return
  const forms = { from: indexForm(from), to: indexForm(to) }
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!name.endsWith('.ivf') || !(await convertFile(path, name, forms, folder))) await rm(path)
  }
  await syncFolder(folder)
}
