/** Copies of a gallery's codes for the index builder. */
import { expect, it } from 'vitest'
import { indexKind } from '#core/vector-store/index/ivf/inverted-file.ts'
import { clusteredGallery } from './trained-gallery.ts'

it('samples rows at even distances', async () => {
  const { codes } = await clusteredGallery(indexKind, 1_000)
  const ids = [...codes.slices(7, 30)].flatMap(slice => [...slice.ids])
  expect(ids).toEqual(Array.from({ length: 34 }, (_, i) => i * 30))
})
