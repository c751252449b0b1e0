/** Search contestants over the same vectors: two of our shards, and peers. They search by turns. */
import { join } from 'node:path'
import { BestCandidates } from '#core/vector-store/best-candidates.ts'
import { openShardThread } from '#core/vector-store/shard/shard-thread.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { progress } from '../../benchmark.ts'
import type { Rig } from '../../rig.ts'
import { cpuTimed, timed } from '../../statistics.ts'
import { addRows, makeIndex, NO_INDEX_BY_ITSELF } from './fill.ts'
import { PROBES } from './synthetic.ts'
import { vectorAt } from './truth.ts'

/** The exact contestant, and its replacement for probes that it did not get. */
export const REFERENCE = 'plain JS'
export const EXACT = 'exact, shard thread'
const INDEXED = 'indexed, shard thread'

/** Candidates requested per search: twice the number of samples per person. */
const LIMIT = 10

/** Vectors in memory: `rows` contains `count` unit vectors in sequence. The id of a vector is its row number. */
export interface HeldFaces {
  dimension: number
  count: number
  rows: Float32Array
}

/** Cost of building a contestant's data structure. */
export interface Made {
  /** CPU time of all threads of the process; NaN when another process built it. */
  cpuSeconds: number
  wallSeconds: number
}

/** One way to search. Several contestants may share one data structure. */
export interface Contestant {
  readonly name: string
  readonly made?: Made
  /** Slow contestants take part only in every n-th round. Default: every round. */
  readonly every?: number
  /** Ids of the closest rows, best first. */
  search(probe: Float32Array): readonly number[] | Promise<readonly number[]>
}

/** Runs the task and measures its cost. */
export async function costOf(work: () => unknown): Promise<Made> {
  let cpuMs = 0
  const wallMs = await timed(async () => {
    cpuMs = await cpuTimed(work)
  })
  return { cpuSeconds: cpuMs / 1000, wallSeconds: wallMs / 1000 }
}

/** A gallery of a store as a contestant. */
export const storeContestant = (
  name: string,
  store: VectorStore,
  gallery: string,
  made: Made,
): Contestant => ({
  name,
  made,
  async search(probe) {
    const { candidates } = await store.search(gallery, probe, { limit: LIMIT, minScore: -1 })
    return candidates.map(({ id }) => id)
  },
})

/** Exact reference in plain JavaScript. Takes part in every tenth round only: it is slow, and exact by definition. */
export const plainScan = ({ rows, dimension, count }: HeldFaces): Contestant => ({
  name: REFERENCE,
  every: 10,
  search(probe) {
    const best = new BestCandidates({ limit: LIMIT, minScore: -1 })
    for (let row = 0; row < count; row++) {
      const score = dot(probe, rows, row * dimension)
      if (score >= best.bar) best.offer(row, score)
    }
    return best.ranked().map(({ id }) => id)
  },
})

/** Consecutive searches of one contestant. The first is not measured: it finds the processor's caches filled by others. */
const IN_A_ROW = 10

/** Rounds between two lines of progress. */
const REPORT_EVERY = 20

export interface Searched {
  contestant: Contestant
  /** Ids found for each probe; undefined for probes that were left out. */
  found: (readonly number[] | undefined)[]
  /** Milliseconds of the measured searches. */
  times: number[]
}

/** Searches the probes with every contestant by turns: changes of the machine's load affect all of them equally. */
export async function searchByTurns(
  contestants: readonly Contestant[],
  probes: Float32Array,
): Promise<Searched[]> {
  const dimension = probes.length / PROBES
  const all = contestants.map(
    (contestant): Searched => ({ contestant, found: Array(PROBES).fill(undefined), times: [] }),
  )
  for (let round = 0; round < PROBES / IN_A_ROW; round++) {
    if (round % REPORT_EVERY === 0) progress(`${round * IN_A_ROW} of ${PROBES} probes`)
    for (let turn = 0; turn < all.length; turn++) {
      const { contestant, found, times } = all[(round + turn) % all.length]!
      if (round % (contestant.every ?? 1) !== 0) continue
      for (let i = 0; i < IN_A_ROW; i++) {
        const probe = round * IN_A_ROW + i
        const vector = vectorAt(probes, probe, dimension)
        const ms = await timed(async () => {
          found[probe] = await contestant.search(vector)
        })
        if (i > 0) times.push(ms)
      }
    }
  }
  return all
}

const GALLERY = 'faces'

/** Two shards of our store with the same rows, as the service uses them: one without an index, one with an index. */
interface Shards {
  add(first: number, rows: Float32Array): Promise<void>
  /** Builds the index. To be called after the last row. */
  ready(): Promise<Contestant[]>
}

export async function openShards(dimension: number, rig: Rig): Promise<Shards> {
  const folder = await rig.folder()
  const open = async (name: string) => {
    const store = await openShardThread(join(folder, name), { indexAbove: NO_INDEX_BY_ITSELF })
    rig.defer(() => store.close())
    return store
  }
  const [exact, indexed] = [await open('exact'), await open('indexed')]
  const added: Made = { cpuSeconds: 0, wallSeconds: 0 }
  return {
    async add(first, rows) {
      const once = await costOf(() => addRows(exact, GALLERY, first, rows, dimension))
      added.cpuSeconds += once.cpuSeconds
      added.wallSeconds += once.wallSeconds
      await addRows(indexed, GALLERY, first, rows, dimension)
    },
    async ready() {
      progress('our index is being made')
      const made = await costOf(() => makeIndex(indexed, GALLERY))
      return [storeContestant(EXACT, exact, GALLERY, added), storeContestant(INDEXED, indexed, GALLERY, made)]
    },
  }
}
