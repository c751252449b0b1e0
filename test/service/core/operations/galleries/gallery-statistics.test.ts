/** Statistics of galleries: states of the index, missing vectors, and an unavailable store. */
import { storeGallery } from '#contract/model/gallery.ts'
import { galleryStatistics } from '#core/operations/galleries/galleries.ts'
import type { GalleryStatistics } from '#core/vector-store/vector-store.ts'
import { FACE, OWNER } from '#test/support/sample-faces.ts'
import { emptyWorld, enrolOne, it, noAnswer, storeWith } from '../world.ts'

const stored = (changed: Partial<GalleryStatistics>) => async (): Promise<GalleryStatistics> => ({
  gallery: 'g',
  linear: 0,
  preindex: 0,
  indexed: 0,
  preindexDeleted: 0,
  indexedDeleted: 0,
  indexFile: undefined,
  indexLoaded: false,
  indexHandle: 0,
  ...changed,
})

describe('statistics of galleries', () => {
  it.each([
    [{ linear: 5 }, { vectors: 5, indexed: 0, index: 'none' }],
    [
      { linear: 1, preindex: 4 },
      { vectors: 5, indexed: 0, index: 'building' },
    ],
    [
      { linear: 1, indexed: 4, indexFile: 'a' },
      { vectors: 5, indexed: 4, index: 'ready' },
    ],
    [
      { preindex: 1, indexed: 4, indexFile: 'a' },
      { vectors: 5, indexed: 4, index: 'building' },
    ],
  ] as const)('tell from %j how far the index is', async (counts, expected) => {
    const world = await emptyWorld()
    const vectors = storeWith(world, { gallery: stored(counts) })
    const { galleries } = await galleryStatistics({ ...world, vectors }, { owner: OWNER })
    expect(galleries).toEqual([{ name: 'default', faces: 0, ...expected }])
  })

  it('count a face whose vector is missing, and not its vector', async ({ world }) => {
    const id = await enrolOne(world, FACE)
    await enrolOne(world, FACE)
    await world.vectors.remove([{ gallery: storeGallery(OWNER, 'default'), id }])
    const { galleries } = await galleryStatistics(world, { owner: OWNER })
    expect(galleries).toMatchObject([{ faces: 2, vectors: 1 }])
  })

  it('leave out the numbers of a store that is unavailable', async ({ world }) => {
    await enrolOne(world, FACE)
    const vectors = storeWith(world, { gallery: noAnswer })
    const { galleries } = await galleryStatistics({ ...world, vectors }, { owner: OWNER })
    expect(galleries).toEqual([{ name: 'default', faces: 1 }])
  })
})
