/** Keys of the vectors of a face: one in `default`, and one in each named gallery. */
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import type { FaceKeys } from '../../metadata/queries/faces.ts'
import type { VectorKey } from '../../vector-store/vector-store.ts'

/** Keys of all vectors of a face; the one in `default` is first. */
export const vectorKeys = (face: FaceKeys): VectorKey[] => keysIn(face, [DEFAULT_GALLERY, ...face.galleries])

/** Keys of the vectors of a face in these galleries. */
export const keysIn = (
  { owner, id }: Pick<FaceKeys, 'owner' | 'id'>,
  galleries: readonly string[],
): VectorKey[] => galleries.map(gallery => ({ gallery: storeGallery(owner, gallery), id }))
