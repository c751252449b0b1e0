/** Our store as the service uses it: rows on disk, and a shard thread that receives messages. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openShardThread } from '#core/vector-store/shard/shard-thread.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { fixed, progress } from '../../benchmark.ts'
import { type Contestant, LIMIT, type Made, type Peer, timed } from './contestant.ts'
import { addRows, madeIndex, NO_INDEX_BY_ITSELF } from './fill.ts'
import { PROBES } from './synthetic.ts'
import { vectorAt } from './truth.ts'

const GALLERY = 'faces'

/** Two shards with the same rows: one without an index, one with an index. */
export interface Shards {
  add(first: number, rows: Float32Array): Promise<void>
  /** To be called after the last row. */
  ready(): Promise<Peer>
  /** Milliseconds of sequential searches during a rebuild of the index. */
  searchWhileMaking(probes: Float32Array): Promise<number[]>
  close(): Promise<void>
}

export async function openShards(dimension: number): Promise<Shards> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-bench-'))
  const open = (name: string) => openShardThread(join(folder, name), { indexAbove: NO_INDEX_BY_ITSELF })
  const [exact, indexed] = [await open('exact'), await open('indexed')]
  const added: Made = { cpuSeconds: 0, wallSeconds: 0 }
  return {
    async add(first, rows) {
      const once = await timed(() => addRows(exact, () => GALLERY, first, rows, dimension))
      added.cpuSeconds += once.cpuSeconds
      added.wallSeconds += once.wallSeconds
      await addRows(indexed, () => GALLERY, first, rows, dimension)
    },
    async ready() {
      progress('  our index is being made')
      const made = await timed(() => madeIndex(indexed, GALLERY))
      const megabytes = await indexMegabytes(folder, indexed)
      return {
        contestants: [
          contestant('exact, shard thread', exact, added),
          contestant('indexed, shard thread', indexed, { ...made, megabytes }),
        ],
      }
    },
    async searchWhileMaking(probes) {
      let made = false
      const making = madeIndex(indexed, GALLERY).finally(() => {
        made = true
      })
      const { search } = contestant('', indexed, added)
      const times: number[] = []
      for (let probe = 0; !made; probe = (probe + 1) % PROBES) {
        const vector = vectorAt(probes, probe, dimension)
        const began = performance.now()
        await search(vector)
        times.push(performance.now() - began)
      }
      await making
      return times
    },
    async close() {
      await Promise.all([exact.close(), indexed.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const contestant = (name: string, store: VectorStore, made: Made): Contestant => ({
  name,
  made,
  async search(probe) {
    const { candidates } = await store.search(GALLERY, probe, { limit: LIMIT, minScore: -1 })
    return candidates.map(({ id }) => id)
  },
})

async function indexMegabytes(folder: string, store: VectorStore): Promise<number> {
  const { indexFile } = (await store.gallery(GALLERY)) ?? {}
  const files = await readdir(folder, { recursive: true })
  const path = files.find(file => indexFile !== undefined && file.endsWith(indexFile))
  return path === undefined ? 0 : fixed((await stat(join(folder, path))).size / 2 ** 20)
}
