/** The record of the shards that were made in a store's folder: one that is missing later is a loss, not a new shard. */
import { join } from 'node:path'
import * as z from 'zod'
import { holdsSomething } from '../../files/installation.ts'
import { readRecord, writeRecord } from '../../files/record.ts'
import { ROWS } from '../shard/shard-open.ts'
import { LayoutRefused } from './layout.ts'

/** In the store's folder. */
export const MADE_SHARDS = 'shards.json'

const MadeSchema = z.strictObject({
  version: z.literal(1),
  /** The folders of the shards that are threads of this process, of the served generation. */
  shards: z.array(z.string().regex(/^shard-\d+(\.\d+)?$/)),
  /** Of these, the ones whose rows were lost, and whose loss was neither repaired nor accepted. */
  lost: z.array(z.string()).default([]),
  /** The installation that the store belongs to (files/installation.ts); absent until it was served. */
  installation: z.uuid().optional(),
})
export type MadeShards = z.infer<typeof MadeSchema>

/** Shards that were made before have no rows any more; the message tells the operator what to do. */
export class ShardsLost extends Error {
  override readonly name = 'ShardsLost'
  /** Their folders. */
  readonly shards: readonly string[]

  constructor(folder: string, shards: readonly string[]) {
    const paths = shards.map(shard => join(folder, shard, ROWS)).join(', ')
    super(
      `${paths}: vectors were stored here, and the file is missing or empty. Mount the volume that holds it, ` +
        'or restore the data folder from a backup. To see what can be rebuilt: npm run store -- repair',
    )
    this.shards = shards
  }
}

/** The record of this store; undefined in a new one, and in one of an earlier version. Throws LayoutRefused. */
export const readMadeShards = (folder: string): Promise<MadeShards | undefined> =>
  readRecord(join(folder, MADE_SHARDS), MadeSchema, LayoutRefused)

const write = (folder: string, made: MadeShards): Promise<void> =>
  writeRecord(join(folder, MADE_SHARDS), made)

/**
 * The shards to open that are lost: they were made before, and have no rows. A later generation than the first is served
 * only once all its shards are made.
 */
export async function lostShards(folder: string, opening: readonly string[]): Promise<string[]> {
  const made = await readMadeShards(folder)
  const known = opening.filter(shard => made?.shards.includes(shard) || shard.includes('.'))
  const empty = await Promise.all(
    known.map(async shard => !(await holdsSomething(join(folder, shard, ROWS)))),
  )
  return known.filter((shard, i) => empty[i] || made?.lost.includes(shard))
}

/** Records that these shards are lost, before they are made anew for a repair: an interrupted repair stays visible. */
export async function recordLostShards(folder: string, lost: readonly string[]): Promise<void> {
  const made = await readMadeShards(folder)
  if (made) await write(folder, { ...made, lost: [...new Set([...made.lost, ...lost])] })
}

/** Records the shards that are open now. What is recorded as lost stays so. */
export async function recordMadeShards(folder: string, shards: readonly string[]): Promise<void> {
  const made = await readMadeShards(folder)
  if (made && made.shards.join() === shards.join()) return
  await write(folder, { version: 1, lost: [], ...made, shards: [...shards] })
}

/** Records that the store belongs to this installation, and that nothing of it counts as lost any more. */
export async function recordStoreInstallation(folder: string, installation: string): Promise<void> {
  const made = await readMadeShards(folder)
  if (made?.installation === installation && made.lost.length === 0) return
  await write(folder, { version: 1, shards: [], ...made, lost: [], installation })
}
