/** Where a face has its vectors: in `default`, and in each of its named galleries. */
import { DEFAULT_GALLERY, storeGallery } from '../../contract/model/gallery.ts'
import type { FaceKeys } from '../../metadata/queries/faces.ts'
import type { VectorKey } from '../../vector-store/vector-store.ts'

/** All of its places. */
export const vectorKeys = (face: FaceKeys): VectorKey[] => keysIn(face, [DEFAULT_GALLERY, ...face.galleries])

/** Its places in these galleries. */
export const keysIn = (
  { owner, id }: Pick<FaceKeys, 'owner' | 'id'>,
  galleries: readonly string[],
): VectorKey[] => galleries.map(gallery => ({ gallery: storeGallery(owner, gallery), id }))
