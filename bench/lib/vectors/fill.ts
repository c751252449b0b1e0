/** Fills stores with faces under the ids 0, 1, 2, ..., and builds indexes. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { openVectorStore } from '#core/vector-store/open.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { progress } from '../../benchmark.ts'
import { syntheticFaces } from './synthetic.ts'

/** Vectors per add. */
const AT_ONCE = 1_000

/** Milliseconds between two queries of the index's progress. */
const ASK_MS = 20

/** Disables automatic indexing: benchmarks start the build explicitly. */
export const NO_INDEX_BY_ITSELF = Number.MAX_SAFE_INTEGER

/** The operator's key of encrypted data folders. */
export const BENCH_KEY = '5'.repeat(64)

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
    const entries = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => ({
      ...{ gallery, id: first + from + i },
      vector: rows.subarray((from + i) * dimension, (from + i + 1) * dimension),
    }))
    await store.add(entries)
  }
}

/** Adds synthetic faces. Resolves with the probes of their people. */
export async function addFaces(
  store: VectorStore,
  gallery: string,
  { faces, dimension }: { faces: number; dimension: number },
): Promise<Float32Array> {
  const synthetic = syntheticFaces(dimension, faces)
  let added = 0
  for (const rows of synthetic.rows()) {
    await addRows(store, gallery, added, rows, dimension)
    added += rows.length / dimension
    if (added % 100_000 === 0) progress(`${added} of ${faces} faces are added`)
  }
  return synthetic.probes()
}

/** Resolves when the index is built. Rejects when the build fails. */
export async function makeIndex(store: VectorStore, gallery: string): Promise<void> {
  for (let state = await store.startIndex(gallery); state.state !== 'ready'; ) {
    if (state.state !== 'building') throw new Error(`The state of the index is "${state.state}".`)
    await sleep(ASK_MS)
    state = await store.indexState(gallery)
  }
}

/** Opens the store of a data folder whose core does not run. */
export async function inStore<Result>(
  data: string,
  use: (store: VectorStore) => Promise<Result>,
  dataKey?: DataKey | undefined,
): Promise<Result> {
  const folder = join(data, 'vectors')
  await mkdir(folder, { recursive: true })
  const store = await openVectorStore(folder, { indexAbove: NO_INDEX_BY_ITSELF, dataKey })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
