/** Refuses a store of a later version of the service before anything in its folder changes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { recordedGeneration, shardsIn } from './generation.ts'
import { requireKnownRows } from './rows/row-schema.ts'
import { ROWS } from './shard/shard-open.ts'
import { recordedLayout } from './sharding/layout.ts'
import { readRecordedShards } from './sharding/recorded-shards.ts'

/**
 * Throws LayoutRefused when a later version wrote a record or the rows of a shard in this folder, and when a record is
 * damaged. Changes nothing. Does nothing when there is no folder.
 */
export async function requireKnownStore(folder: string): Promise<void> {
  if (!existsSync(folder)) return
  await recordedLayout(folder)
  await readRecordedShards(folder)
  await recordedGeneration(folder)
  for (const shard of await shardsIn(folder)) requireKnownRows(join(folder, shard, ROWS))
}
