/** A store of three shards in a folder, whose functions tests can replace. */

import { join } from 'node:path'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { type OnShardAvailability, WatchedShard } from '#core/vector-store/sharding/health.ts'
import { cellOf, cellsOf, localLayout } from '#core/vector-store/sharding/layout.ts'
import { shardedStore } from '#core/vector-store/sharding/sharded.ts'
import { StoreUnavailable, type VectorStore } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'

export const LAYOUT = localLayout(3)
export const vector = (...values: number[]): Float32Array => Float32Array.from(values)
export const EVERYTHING = { limit: 1_000, minScore: -1 }

export type Change = Partial<VectorStore>

/** Opens the store with replaced functions; collects its reports. */
export async function openThree(folder: string, changes: Record<number, Change> = {}, patienceMs?: number) {
  const news: string[] = []
  const shards = await Promise.all(
    LAYOUT.map(async (place, i) => {
      const real = await openShard(join(folder, `shard-${i}`))
      const changed = new Proxy(real, {
        get(store, name: keyof VectorStore) {
          const own = changes[i]?.[name]
          return own ?? store[name].bind(store)
        },
      })
      const tell: OnShardAvailability = (event, { cells }, cause) =>
        news.push([event, cells, ...(cause instanceof Error ? [cause.name] : [])].join(' '))
      return new WatchedShard(changed, place, tell, patienceMs)
    }),
  )
  const store = shardedStore(shards)
  onTestFinished(() => store.close())
  return { store, news }
}

export async function allKeys(store: VectorStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { gallery, id } of store.keys()) keys.push(`${gallery}/${id}`)
  return keys.sort()
}

export const reject = () => Promise.reject(new StoreUnavailable('away'))

const IDS = times(99, id => id)

/** The lowest id of each shard. */
export const [FIRST = 0, SECOND = 0, THIRD = 0] = LAYOUT.map(({ cells }) =>
  IDS.find(id => cellsOf(cells)!.includes(cellOf(id))),
)

export const one = (id: number, gallery = 'a', values = [1, 0]) => ({
  gallery,
  id,
  vector: vector(...values),
})
