/** Record of the shards that were created in a store's folder: a missing one is a loss, not a new shard. */

import { join } from 'node:path'
import * as z from 'zod'
import { holdsSomething, readRecord, writeRecord } from '../../files/record.ts'
import { ROWS } from '../shard/shard-open.ts'
import { LayoutRefused } from '../vector-store.ts'

/** File name in the store's folder. */
export const MADE_SHARDS = 'shards.json'

const MadeSchema = z.strictObject({
  version: z.literal(1),
  /** Folder names of the local shards of the served generation. */
  shards: z.array(z.string().regex(/^shard-\d+(\.\d+)?$/)),
  /** The shards whose rows were lost, and whose loss was neither repaired nor accepted. */
  lost: z.array(z.string()).default([]),
  /** Installation that the store belongs to (files/record.ts); absent before the store was first served. */
  installation: z.uuid().optional(),
})
type RecordedShards = z.infer<typeof MadeSchema>

/** Thrown when recorded shards have no rows. The message states the remedy. */
export class ShardsLost extends Error {
  override readonly name = 'ShardsLost'
  /** Folder names of the lost shards. */
  readonly shards: readonly string[]

  constructor(folder: string, shards: readonly string[]) {
    const paths = shards.map(shard => join(folder, shard, ROWS)).join(', ')
    super(
      `${paths}: vectors were stored here, and the file is missing or empty. Mount the volume that holds it, ` +
        'or restore the data folder from a backup. To see what can be rebuilt: mien store repair',
    )
    this.shards = shards
  }
}

/**
 * The record of this store; undefined in a new store. Throws LayoutRefused when the record is damaged.
 */
export const readRecordedShards = (folder: string): Promise<RecordedShards | undefined> =>
  readRecord(join(folder, MADE_SHARDS), MadeSchema, LayoutRefused)

const write = (folder: string, made: RecordedShards) => writeRecord(join(folder, MADE_SHARDS), made)

/**
 * The lost shards among the `opening` ones: recorded as created but without rows, or recorded as lost. Shards of a
 * generation after the first count as created, since a later generation is served only when all its shards exist.
 */
export async function lostShards(folder: string, opening: readonly string[]): Promise<string[]> {
  const made = await readRecordedShards(folder)
  const known = opening.filter(shard => made?.shards.includes(shard) || shard.includes('.'))
  const empty = await Promise.all(
    known.map(async shard => !(await holdsSomething(join(folder, shard, ROWS)))),
  )
  return known.filter((shard, i) => empty[i] || made?.lost.includes(shard))
}

/** Records these shards as lost, before a repair creates them again: an interrupted repair stays visible. */
export async function recordLostShards(folder: string, lost: readonly string[]): Promise<void> {
  const made = await readRecordedShards(folder)
  if (made) await write(folder, { ...made, lost: [...new Set([...made.lost, ...lost])] })
}

/** Records the shards that are open. Shards recorded as lost stay lost. */
export async function recordShards(folder: string, shards: readonly string[]): Promise<void> {
  const made = await readRecordedShards(folder)
  if (made && made.shards.join() === shards.join()) return
  await write(folder, { version: 1, lost: [], ...made, shards: [...shards] })
}

/** Records that the store belongs to this installation, and clears the list of lost shards. */
export async function recordStoreInstallation(folder: string, installation: string): Promise<void> {
  const made = await readRecordedShards(folder)
  if (made?.installation === installation && made.lost.length === 0) return
  await write(folder, { version: 1, shards: [], ...made, lost: [], installation })
}
