/** Where a face has its vectors: in `default`, and in each of its named galleries. */
import { DEFAULT_GALLERY, storeGallery } from '../contract/gallery.ts'
import type { FaceKeys } from '../metadata/faces.ts'
import type { VectorKey } from '../store/store.ts'

/** All of its places. */
export const vectorKeys = (face: FaceKeys): VectorKey[] => keysIn(face, [DEFAULT_GALLERY, ...face.galleries])

/** Its places in these galleries. */
export const keysIn = (
  { owner, id }: Pick<FaceKeys, 'owner' | 'id'>,
  galleries: readonly string[],
): VectorKey[] => galleries.map(gallery => ({ gallery: storeGallery(owner, gallery), id }))
