/** Opens the store of a folder: its lock, its layout, its shards, and one store over all shards. */

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { lockFolder } from './folder-lock.ts'
import {
  GenerationMismatch,
  lostGeneration,
  prepareNext,
  recordedGeneration,
  recordGeneration,
  removeEarlier,
  removeNext,
  servedNumber,
  shardFolder,
  shardsIn,
} from './generation.ts'
import { finishMove } from './pending-move.ts'
import { postgresAddress } from './postgres/address.ts'
import { requireKnownRows } from './rows/row-schema.ts'
import { ROWS } from './shard/shard-open.ts'
import type { ShardSettings } from './shard/shard-settings.ts'
import { openShardThread } from './shard/shard-thread.ts'
import { type OnShardAvailability, WatchedShard } from './sharding/health.ts'
import {
  type Layout,
  LOCAL,
  localLayout,
  type Place,
  recordedLayout,
  recordLayout,
  sameLayout,
} from './sharding/layout.ts'
import {
  lostShards,
  readRecordedShards,
  recordLostShards,
  recordShards,
  ShardsLost,
} from './sharding/recorded-shards.ts'
import { shardedStore } from './sharding/sharded.ts'
import { LayoutRefused, type VectorStore } from './vector-store.ts'

export interface StoreSettings extends ShardSettings {
  /** The operator's list of shards. Default: the recorded layout; in a new folder, threads of this process. */
  shards?: Layout
  /** Called when a shard becomes unavailable or available again. */
  onShard?: OnShardAvailability
  /** Label of the service's embedder. A store with vectors of another embedder is refused. Not checked when absent. */
  embedder?: string
  /** Opens a store with lost shards and creates empty ones in their place, for a repair. */
  repair?: boolean
  /** Keeps an interrupted preparation of the next generation. Otherwise it is removed: changes of the opened store do not reach it. */
  keepNext?: boolean
}

/**
 * Opens the store in an existing folder. Resolves when the store can be searched. Throws VectorFileLocked while another process
 * holds the folder. Throws LayoutRefused when the shards differ from the recorded layout, or a later version wrote them. Throws
 * ShardsLost when the rows of a shard are missing, and GenerationMismatch when another embedder made the vectors.
 */
export async function openVectorStore(folder: string, settings: StoreSettings = {}): Promise<VectorStore> {
  await requireKnownStore(folder)
  const lock = lockFolder(folder)
  try {
    await finishMove(folder)
    await removeEarlier(folder)
    const layout = await layoutOf(folder, settings)
    const served = await servedNumber(folder)
    await requireShards(folder, layout, served, settings)
    const store = await openShards(folder, layout, settings, served)
    await closingOnError(store, () => recordShards(folder, localShards(layout, served)))
    const isLocal = localShards(layout, served).length > 0
    await closingOnError(store, async () => {
      await requireEmbedder(folder, store, { ...settings, isLocal })
      // A refused start changes no vectors: an interrupted conversion continues after it.
      if (!settings.keepNext) await removeNext(folder)
    })
    const close = store.close.bind(store)
    return Object.assign(store, {
      async close() {
        await close()
        lock.release()
      },
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Opens a store for the next generation while this process has the folder's own store open, with `keepNext`. Continues
 * an earlier preparation for the same embedder. Throws LayoutRefused when a shard is in a database.
 */
export async function openNextGeneration(
  folder: string,
  embedder: string,
  settings: ShardSettings = {},
): Promise<VectorStore> {
  const layout = (await recordedLayout(folder)) ?? localLayout(threads())
  if (layout.some(({ address }) => address !== LOCAL)) {
    throw new LayoutRefused(
      'Some of the shards are in databases, where nothing can be made beside what is served. ' +
        'Bring their vectors here first: "mien store move vectors --to local".',
    )
  }
  const { number } = await prepareNext(folder, embedder)
  return openShards(folder, layout, settings, number)
}

/**
 * Records the prepared generation as served, from the next opening on. Its store must be closed; the folder's own store
 * may be open.
 */
export async function serveNextGeneration(folder: string, embedder: string): Promise<void> {
  await recordGeneration(folder, await prepareNext(folder, embedder))
}

/** Folder names of the shards that are threads of this process. */
const localShards = (layout: Layout, generation: number) =>
  layout.flatMap(({ address }, number) => (address === LOCAL ? [shardFolder(number, generation)] : []))

async function requireShards(
  folder: string,
  layout: Layout,
  generation: number,
  { repair = false }: StoreSettings,
) {
  const lost = await lostShards(folder, localShards(layout, generation))
  if (lost.length === 0) return
  if (!repair) throw new ShardsLost(folder, lost)
  await recordLostShards(folder, lost)
}

/**
 * Refuses vectors of another embedder, and local ones without a record. Records the service's embedder when the store is empty. A
 * core may keep all shards in databases and nothing in its folder.
 */
async function requireEmbedder(
  folder: string,
  store: VectorStore,
  { embedder, isLocal }: StoreSettings & { isLocal: boolean },
) {
  if (embedder === undefined) return
  const recorded = await recordedGeneration(folder)
  if (recorded?.embedder === embedder) return
  if ((recorded || isLocal) && (await store.galleries()).length > 0)
    throw recorded ? new GenerationMismatch(recorded.embedder, embedder) : lostGeneration(folder)
  await recordGeneration(folder, { number: recorded?.number ?? 0, embedder })
}

async function closingOnError(store: VectorStore, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    await store.close()
    throw error
  }
}

/** One CPU is left for the other threads. */
export const threads = (): number => Math.max(1, availableParallelism() - 1)

/** The layout to use. A layout that differs from the recorded one is accepted only while the store is empty. */
async function layoutOf(folder: string, settings: StoreSettings): Promise<Layout> {
  const recorded = await recordedLayout(folder)
  if (!recorded && !settings.shards) await refuseUnrecorded(folder)
  const layout = settings.shards ?? recorded ?? localLayout(threads())
  const isSame = recorded !== undefined && sameLayout(recorded, layout)
  if (recorded && !isSame && !(await isEmpty(folder, recorded, settings))) {
    throw new LayoutRefused(
      `The shards are not those that ${folder} was made with. Start with the list in its layout.json, ` +
        'or move the vectors to other shards: "mien store move vectors --to".',
    )
  }
  // The same shards may have new connection options.
  if (layout !== recorded) await recordLayout(folder, layout)
  return layout
}

/** Refuses a folder that has shards but no layout: searches could miss shards or use them in the wrong order. */
async function refuseUnrecorded(folder: string) {
  const shards = (await readdir(folder)).filter(name => name.startsWith('shard-'))
  if (shards.length === 0) return
  throw new LayoutRefused(
    `${folder} has shards, and its layout.json is gone. Restore it from a backup, or name the shards that it was made with.`,
  )
}

async function isEmpty(folder: string, layout: Layout, settings: StoreSettings) {
  const served = await servedNumber(folder)
  await requireShards(folder, layout, served, {})
  const store = await openShards(folder, layout, settings, served)
  try {
    return (await store.galleries()).length === 0
  } finally {
    await store.close()
  }
}

/** Opens a store over the shards of a layout. A single local shard needs no store above it. */
export async function openShards(
  folder: string,
  layout: Layout,
  settings: StoreSettings,
  generation: number,
): Promise<VectorStore> {
  const opened = await Promise.allSettled(
    layout.map((place, number) => openPlace(place, join(folder, shardFolder(number, generation)), settings)),
  )
  const stores = opened.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const failure = opened.find(outcome => outcome.status === 'rejected')
  if (failure) {
    await Promise.all(stores.map(store => store.close()))
    throw failure.reason
  }
  if (layout.length === 1 && layout[0]?.address === LOCAL) return stores[0]!
  return shardedStore(
    layout.map((place, i) => new WatchedShard(stores[i]!, place, settings.onShard ?? (() => {}))),
  )
}

/**
 * `own` is the folder of the shard if it is a thread of this process. The PostgreSQL driver loads only when a shard
 * needs it.
 */
async function openPlace(
  { address, password }: Place,
  own: string,
  settings: StoreSettings,
): Promise<VectorStore> {
  if (address === LOCAL) return openShardThread(own, settings)
  const { openPostgresShard } = await import('./postgres/postgres-shard.ts')
  return openPostgresShard({ ...postgresAddress(address)!, password }, settings)
}

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
