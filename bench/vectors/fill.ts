/** Fills a store with synthetic faces, row by row of the ids 0, 1, 2 ..., and has an index made. */
import { setTimeout as wait } from 'node:timers/promises'
import type { VectorStore } from '../../core/vector-store/vector-store.ts'
import { progress } from '../benchmark.ts'

/** Vectors of one add. */
const AT_ONCE = 1_000

/** How often an index is asked how far it is. */
const ASK_MS = 20

/** Of 0..1, between two words of progress. */
const SAID_EVERY = 0.25

/** Never by itself: a benchmark says when an index is made. */
export const NO_INDEX_BY_ITSELF = Number.MAX_SAFE_INTEGER

/** Adds rows, which lie one behind the other, under the ids from `first` on, each to the gallery of its id. */
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

/** Resolves when the index is there. Rejects when it is not going to be. */
export async function madeIndex(store: VectorStore, gallery: string): Promise<void> {
  let said = 0
  for (let state = await store.startIndex(gallery); state.state !== 'ready'; ) {
    if (state.state !== 'building') throw new Error(`The state of the index is "${state.state}".`)
    if (state.progress >= said + SAID_EVERY) {
      said = state.progress
      progress(`  index: ${Math.floor(said * 100)} %`)
    }
    await wait(ASK_MS)
    state = await store.indexState(gallery)
  }
}
