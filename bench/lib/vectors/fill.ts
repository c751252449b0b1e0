/** Fills a store with synthetic faces under the ids 0, 1, 2, ..., and builds an index. */
import { setTimeout as wait } from 'node:timers/promises'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { progress } from '../../benchmark.ts'

/** Vectors per add. */
const AT_ONCE = 1_000

/** Milliseconds between two queries of the index's progress. */
const ASK_MS = 20

/** Step of progress, 0..1, between two lines of output. */
const REPORT_STEP = 0.25

/** Disables automatic indexing: benchmarks start the build explicitly. */
export const NO_INDEX_BY_ITSELF = Number.MAX_SAFE_INTEGER

/** Adds rows, stored in sequence, under the ids from `first`, each to the gallery of its id. */
export async function addRows(
  store: VectorStore,
  galleryOf: (id: number) => string,
  first: number,
  rows: Float32Array,
  dimension: number,
): Promise<void> {
  const count = rows.length / dimension
  for (let from = 0; from < count; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - from)
    const entries = Array.from({ length }, (_, i) => ({
      gallery: galleryOf(first + from + i),
      id: first + from + i,
      vector: rows.subarray((from + i) * dimension, (from + i + 1) * dimension),
    }))
    await store.add(entries)
  }
}

/** Resolves when the index is built. Rejects when the build fails. */
export async function madeIndex(store: VectorStore, gallery: string): Promise<void> {
  let reported = 0
  for (let state = await store.startIndex(gallery); state.state !== 'ready'; ) {
    if (state.state !== 'building') throw new Error(`The state of the index is "${state.state}".`)
    if (state.progress >= reported + REPORT_STEP) {
      reported = state.progress
      progress(`  index: ${Math.floor(reported * 100)} %`)
    }
    await wait(ASK_MS)
    state = await store.indexState(gallery)
  }
}
