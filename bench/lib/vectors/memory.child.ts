/** A new process that opens a store, executes its task, and reports its memory. */

import { setTimeout as sleep } from 'node:timers/promises'
import { openVectorStore } from '#core/vector-store/open.ts'
import { times } from '#test/support/times.ts'
import { childTask } from '../../child.ts'
import { makeIndex, NO_INDEX_BY_ITSELF } from './fill.ts'

export interface MemoryTask {
  folder: string
  dimension: number
  /** Faces to add. */
  add?: number
  /** Builds an index. */
  index?: boolean
}

/** Vectors per add. */
const AT_ONCE = 1_000

/** Searches before the measurement, whose memory is part of the result. */
const SEARCHES = 20

/** Milliseconds to wait until unused memory is freed. */
const SETTLE_MS = 3_000

const { given, finish } = childTask<MemoryTask>()
const { folder, dimension, add = 0, index } = given
const gallery = 'faces'
// Arbitrary vectors: a population of synthetic faces would take memory itself.
const vector = () => Float32Array.from({ length: dimension }, () => Math.random() - 0.5)
const store = await openVectorStore(folder, { indexAbove: NO_INDEX_BY_ITSELF })
for (let first = 0; first < add; first += AT_ONCE) {
  const ids = times(Math.min(AT_ONCE, add - first), i => first + i)
  await store.add(ids.map(id => ({ gallery, id, vector: vector() })))
}
if (index) await makeIndex(store, gallery)
for (let i = 0; i < SEARCHES; i++) await store.search(gallery, vector(), { limit: 10, minScore: -1 })
await sleep(SETTLE_MS)
const residentMb = process.memoryUsage.rss() / 2 ** 20
await store.close()
finish({ residentMb, peakMb: process.resourceUsage().maxRSS / 1024 })
