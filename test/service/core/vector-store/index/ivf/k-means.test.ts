/** The lists of an inverted file: trained centroids, and rows found in a fraction of the lists. */
import { describe, expect, it } from 'vitest'
import { CodeGallery } from '#core/vector-store/codes/code-gallery.ts'
import { openCodeMemory } from '#core/vector-store/codes/code-memory.ts'
import { indexKind } from '#core/vector-store/index/ivf/inverted-file.ts'
import { unitVectors } from '#test/unit/wasm/kernels/oracle.ts'
import { arrangeAll, clusteredGallery, DIMENSION, trained } from '../trained-gallery.ts'

describe('openKMeansTrainer', { tags: 'long' }, () => {
  it('trains unit vectors from rows with fewer distinct values than lists', async () => {
    const codes = new CodeGallery(await openCodeMemory(), DIMENSION)
    const [a, b] = [unitVectors(DIMENSION, 'even', 1)(), unitVectors(DIMENSION, 'even', 2)()]
    for (let id = 0; id < 100; id++) codes.add(id, id % 2 ? a : b)
    codes.seal()
    const { index } = await trained(indexKind, codes, 10)
    for (let list = 0; list < 10; list++) {
      const centroid = index.model.subarray(list * DIMENSION, (list + 1) * DIMENSION)
      expect(Math.hypot(...centroid)).toBeCloseTo(1, 5)
    }
  })

  it('finds each row in a fraction of its lists', async () => {
    const { codes, units } = await clusteredGallery(indexKind, 120_000, 1)
    arrangeAll(codes, await trained(indexKind, codes, 300))
    for (let id = 0; id < 120_000; id += 599) {
      expect(codes.scan(units[id]!, { wanted: 3 }).candidates[0]!.id).toBe(id)
    }
  })

  it.each([
    { rows: 0, lists: 1 },
    { rows: 40, lists: 1 },
    { rows: 1_000, lists: 25 },
    { rows: 10_000, lists: 100 },
    { rows: 1_000_000, lists: 1_000 },
  ])('uses $lists lists for $rows rows', ({ rows, lists }) => expect(indexKind.listsFor(rows)).toBe(lists))
})
