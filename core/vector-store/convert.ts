/** Conversion of the store's files to another data key, to one at all, or to none. What is converted already is passed over. */
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { convertFile } from '../encryption/convert-file.ts'
import { type DataKey, markOf } from '../encryption/encrypt.ts'
import { syncFolder } from '../files/durable.ts'
import { wipingOld } from '../files/wipe.ts'
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
  /** Is told of what was damaged, and is left behind. */
  onLost(what: string): void
  onStep?: ((step: RewriteStep | 'indexes') => void) | undefined
}

/** Files in the store's folder that no key can be put to: copies of damaged ones, and that of version 0.1.0. */
export async function unconvertible(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names
    .filter(name => basename(name).includes('.damaged') || name === OLDER_FILE)
    .map(name => join(folder, name))
}

/** The caller holds the lock of the folder. A crash leaves each file as it was, or converted. Throws RowsDamaged. */
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
  await wipingOld(path, () =>
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

/** An index that is damaged is removed, as is what a crash left half-written: the next start makes what is missing. */
async function convertIndexes(folder: string, { from, to }: StoreConversion): Promise<void> {
  if (!existsSync(folder)) return
  const forms = { from: indexForm(from), to: indexForm(to) }
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!name.endsWith('.ivf') || !(await convertFile(path, name, forms, folder))) await rm(path)
  }
  await syncFolder(folder)
}
