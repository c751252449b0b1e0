/** Checks all answers of a store with known vectors. */
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { closest, knownEntry, knownVector } from './known.ts'

/** The ids in the store. Expects that keys, list, get, search and counters agree. */
export async function servedIds(store: VectorStore): Promise<Set<number>> {
  const ids = new Set<number>()
  for await (const { gallery, id } of store.keys()) {
    expect(gallery).toBe('g')
    ids.add(id)
  }
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page = await store.list('g', from, 500)
    for (const { id, vector } of page.vectors) expect({ id, vector }).toEqual({ id, vector: knownVector(id) })
    from = page.next
  }
  const served = new Set<number>()
  for (const id of ids) {
    const vector = await store.get({ gallery: 'g', id })
    if (vector) served.add(id)
    if (vector) expect(vector).toEqual(knownVector(id))
  }
  const probe = knownVector(-5)
  const { candidates } = await store.search('g', probe, { limit: ids.size + 10, minScore: -1 })
  expect(candidates).toEqual(closest([...served].map(knownEntry), probe, served.size))
  const { linear, preindex, indexed } = (await store.gallery('g')) ?? { linear: 0, preindex: 0, indexed: 0 }
  expect(linear + preindex + indexed).toBe(served.size)
  return served
}
