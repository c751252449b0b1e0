/** Opens the store in a folder: its lock, its layout, its shards, and one store over all of them. */
import { readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { adoptOlderFile } from './adopt.ts'
import { lockFolder } from './folder-lock.ts'
import {
  OtherGeneration,
  prepareNext,
  recordedGeneration,
  recordGeneration,
  removeEarlier,
  servedNumber,
  shardFolder,
} from './generation.ts'
import { isPostgres, postgresAddress } from './postgres/address.ts'
import type { ShardSettings } from './shard/shard-settings.ts'
import { openShardThread } from './shard/shard-thread.ts'
import { type OnShardAvailability, WatchedShard } from './sharding/health.ts'
import {
  type Layout,
  LayoutRefused,
  LOCAL,
  localLayout,
  type Place,
  recordedLayout,
  recordLayout,
  sameLayout,
} from './sharding/layout.ts'
import { lostShards, recordLostShards, recordMadeShards, ShardsLost } from './sharding/made-shards.ts'
import { openRemoteShard } from './sharding/remote-shard.ts'
import { shardedStore } from './sharding/sharded.ts'
import type { VectorStore } from './vector-store.ts'

export interface StoreSettings extends ShardSettings {
  /** The operator's list of shards. When absent: as before, and threads of this process in a new folder. */
  shards?: Layout | undefined
  /** What the operators of other cores are known by there. */
  operatorToken?: string | undefined
  onShard?: OnShardAvailability | undefined
  /** How long, after it has gone, a shard is waited for; LIMITS.shardPatienceMs when absent. */
  shardPatienceMs?: number | undefined
  /** What makes the vectors: a store whose vectors something else made is refused. Absent: it does not matter. */
  embedder?: string | undefined
  /** Opens a store whose shards are lost in part, with empty ones in their place, for a repair. */
  repair?: boolean | undefined
}

/**
 * Opens the store in this folder, which exists, and resolves when it can be searched. Throws VectorFileLocked while
 * another process has it, LayoutRefused when the shards are not those it was made with, ShardsLost when the rows of one are
 * gone, and OtherGeneration when its vectors are not of the embedder.
 */
export async function openVectorStore(folder: string, settings: StoreSettings = {}): Promise<VectorStore> {
  const lock = lockFolder(folder)
  try {
    await removeEarlier(folder)
    const layout = await layoutOf(folder, settings)
    const served = await servedNumber(folder)
    await requireShards(folder, layout, served, settings)
    const store = await openShards(folder, layout, settings, served)
    await closingOnError(store, () => recordMadeShards(folder, localShards(layout, served)))
    await closingOnError(store, () => adoptOlderFile(folder, store))
    await closingOnError(store, () => requireEmbedder(folder, store, settings))
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
 * A store like the one in this folder, for the generation that is to follow: what was made of it before goes on. The
 * folder's own store is open meanwhile, in this process. Throws LayoutRefused when some of its shards are elsewhere.
 */
export async function openNextGeneration(
  folder: string,
  embedder: string,
  settings: ShardSettings = {},
): Promise<VectorStore> {
  const layout = (await recordedLayout(folder)) ?? localLayout(threads())
  if (layout.some(({ address }) => address !== LOCAL)) {
    throw new LayoutRefused(
      'Some of the shards are in other cores or databases, where nothing can be made beside what is served. ' +
        'Bring their vectors here first: "npm run store -- export", then "npm run store -- import" into a new data folder.',
    )
  }
  const { number } = await prepareNext(folder, embedder)
  return openShards(folder, layout, settings, number)
}

/** Serves the generation that was made, from the next opening on. Its store is closed; that of the folder may be open. */
export async function serveNextGeneration(folder: string, embedder: string): Promise<void> {
  await recordGeneration(folder, await prepareNext(folder, embedder))
}

/** The folders of the shards that are threads of this process. */
const localShards = (layout: Layout, generation: number): string[] =>
  layout.flatMap(({ address }, number) => (address === LOCAL ? [shardFolder(number, generation)] : []))

async function requireShards(
  folder: string,
  layout: Layout,
  generation: number,
  { repair = false }: StoreSettings,
): Promise<void> {
  const lost = await lostShards(folder, localShards(layout, generation))
  if (lost.length === 0) return
  if (!repair) throw new ShardsLost(folder, lost)
  await recordLostShards(folder, lost)
}

/** A store that has nothing takes the service's embedder for its own. */
async function requireEmbedder(
  folder: string,
  store: VectorStore,
  { embedder }: StoreSettings,
): Promise<void> {
  if (embedder === undefined) return
  const recorded = await recordedGeneration(folder)
  if (recorded?.embedder === embedder) return
  if (recorded && (await store.galleries()).length > 0) throw new OtherGeneration(recorded.embedder, embedder)
  await recordGeneration(folder, { number: recorded?.number ?? 0, embedder })
}

async function closingOnError(store: VectorStore, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await store.close()
    throw error
  }
}

/** One core of the machine is for everything else. */
const threads = (): number => Math.max(1, availableParallelism() - 1)

/** The layout to obey. Another one than the recorded is taken only as long as nothing is stored. */
async function layoutOf(folder: string, settings: StoreSettings): Promise<Layout> {
  const recorded = await recordedLayout(folder)
  if (!recorded && !settings.shards) await refuseUnrecorded(folder)
  const layout = settings.shards ?? recorded ?? localLayout(threads())
  const isSame = recorded !== undefined && sameLayout(recorded, layout)
  if (recorded && !isSame && !(await isEmpty(folder, recorded, settings))) {
    throw new LayoutRefused(
      `The shards are not those that ${folder} was made with. Start with the list in its layout.json, ` +
        'or move the vectors: "npm run store -- export" with the old list, then "npm run store -- import" ' +
        'into a new data folder with the new one.',
    )
  }
  // The same shards may be reached in another way now.
  if (layout !== recorded) await recordLayout(folder, layout)
  return layout
}

/** A folder whose shards nobody knows to be all, and in their order, would be searched in part. */
async function refuseUnrecorded(folder: string): Promise<void> {
  const shards = (await readdir(folder)).filter(name => name.startsWith('shard-'))
  if (shards.length === 0) return
  throw new LayoutRefused(
    `${folder} has shards, and its layout.json is gone. Restore it from a backup, or name the shards that it was made with.`,
  )
}

async function isEmpty(folder: string, layout: Layout, settings: StoreSettings): Promise<boolean> {
  const served = await servedNumber(folder)
  await requireShards(folder, layout, served, {})
  const store = await openShards(folder, layout, settings, served)
  try {
    return (await store.galleries()).length === 0
  } finally {
    await store.close()
  }
}

/** A store over the shards of this layout; a single thread of this process needs nothing above it. */
async function openShards(
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
    layout.map(
      (place, i) =>
        new WatchedShard(stores[i]!, place, settings.onShard ?? (() => {}), settings.shardPatienceMs),
    ),
  )
}

/** `own` is the shard's folder, where it is a thread of this process. The driver is loaded only where there is a database. */
async function openPlace(
  { address, password }: Place,
  own: string,
  settings: StoreSettings,
): Promise<VectorStore> {
  if (address === LOCAL) return openShardThread(own, settings)
  if (!isPostgres(address)) return openRemoteShard(address, { token: settings.operatorToken })
  const { openPostgresShard } = await import('./postgres/postgres-shard.ts')
  return openPostgresShard({ ...postgresAddress(address)!, password }, settings)
}
