/** Vectors that two processes derive from their ids. */

import { setTimeout as delay } from 'node:timers/promises'
import { cosine, unitVector } from '#core/vector-store/unit-vector.ts'
import type { Candidate, VectorEntry, VectorStore } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'

export const DIMENSION = 32

/** The vector of an id: pseudorandom numbers, -1..1. */
export function knownVector(id: number): Float32Array {
  let state = Math.imul(id + 1, 0x9e3779b1)
  return Float32Array.from({ length: DIMENSION }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39) + 0x5bd1e995
    return (state >>> 8) / 2 ** 23 - 1
  })
}

export const knownEntry = (id: number): VectorEntry => ({ gallery: 'g', id, vector: knownVector(id) })

/** Entries with `count` consecutive ids. */
export const knownEntries = (from: number, count: number): VectorEntry[] =>
  times(count, i => knownEntry(from + i))

/** The result of an exhaustive search. */
export function closest(stored: readonly VectorEntry[], probe: Float32Array, limit: number): Candidate[] {
  const unit = unitVector(probe)
  return stored
    .map(({ id, vector }) => ({ id, score: cosine(unit, vector) }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit)
}

/** Why a shard that does not respond refuses. */
export const SHARD_AWAY = { name: 'StoreUnavailable', why: 'away' }

/** The opened store, which closes with the test. */
export async function closeWithTest<Store extends Pick<VectorStore, 'close'>>(
  opening: Promise<Store>,
): Promise<Store> {
  const store = await opening
  onTestFinished(() => store.close().catch(() => {}))
  return store
}

/** Waits until no index of the gallery is being built. Returns its state. */
export async function waitForIndex(store: VectorStore, gallery = 'g'): Promise<string> {
  for (;;) {
    const { state } = await store.indexState(gallery)
    if (state !== 'building') return state
    await delay(5)
  }
}

/** Builds an index of `g` while rows are added and removed. `check` sees the stored vectors at each step. */
export async function indexBesideChanges(
  store: VectorStore,
  stored: VectorEntry[],
  check: (stored: VectorEntry[]) => Promise<void>,
) {
  const rows = stored.length
  let state = await store.startIndex('g')
  expect(state.state).toBe('building')
  for (let i = 0; state.state === 'building'; i++) {
    expect(state.progress).toBeGreaterThanOrEqual(0)
    expect(state.progress).toBeLessThanOrEqual(1)
    await store.add([knownEntry(rows + i)])
    await store.remove([{ gallery: 'g', id: 7 * i }])
    stored = stored.filter(({ id }) => id !== 7 * i).concat(knownEntry(rows + i))
    await check(stored)
    state = await store.indexState('g')
  }
  expect(state).toEqual({ state: 'ready', progress: 1 })
}

/** The gallery `g` has lost its index with its last vector, and takes vectors of another dimension. */
export async function expectUsableAgain(store: VectorStore) {
  expect(await store.gallery('g')).toBeUndefined()
  await store.add([{ gallery: 'g', id: 1, vector: Float32Array.of(1, 2) }])
  expect(await store.gallery('g')).toMatchObject({ linear: 1, indexed: 0, indexFile: undefined })
  const { candidates } = await store.search('g', Float32Array.of(1, 2), { limit: 5, minScore: -1 })
  expect(candidates).toHaveLength(1)
}
