/** Fills stores with faces under the ids 0, 1, 2, ..., and builds indexes. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'

/** Vectors per add. */
const AT_ONCE = 1_000

/** Milliseconds between two queries of the index's progress. */
const ASK_MS = 20

/** Disables automatic indexing: benchmarks start the build explicitly. */
export const NO_INDEX_BY_ITSELF = Number.MAX_SAFE_INTEGER

/** Adds rows, stored in sequence, under the ids from `first`. */
export async function addRows(
  store: VectorStore,
  gallery: string,
  first: number,
  rows: Float32Array,
  dimension: number,
): Promise<void> {
  const count = rows.length / dimension
  for (let from = 0; from < count; from += AT_ONCE) {
    const entries = times(Math.min(AT_ONCE, count - from), i => ({
      gallery,
      id: first + from + i,
      vector: rows.subarray((from + i) * dimension, (from + i + 1) * dimension),
    }))
    await store.add(entries)
  }
}

/** Resolves when the index is built. Rejects when the build fails. */
export async function makeIndex(store: VectorStore, gallery: string): Promise<void> {
  for (let state = await store.startIndex(gallery); state.state !== 'ready'; ) {
    if (state.state !== 'building') throw new Error(`The state of the index is "${state.state}".`)
    await sleep(ASK_MS)
    state = await store.indexState(gallery)
  }
}
