/** The vectors of a face: one in `default`, and the same one in each named gallery. */
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import type { FaceKeys } from '../../metadata/faces/faces.ts'
import { type VectorKey, VectorRefused, type VectorStore } from '../../vector-store/vector-store.ts'

/** Keys of all vectors of a face; the one in `default` is first. */
export const vectorKeys = (face: FaceKeys): VectorKey[] => keysIn(face, [DEFAULT_GALLERY, ...face.galleries])

/** Keys of the vectors of a face in these galleries. */
export const keysIn = (
  { owner, id }: Pick<FaceKeys, 'owner' | 'id'>,
  galleries: readonly string[],
): VectorKey[] => galleries.map(gallery => ({ gallery: storeGallery(owner, gallery), id }))

/** Copies the vector in `default` to galleries that lack it. False without a vector in `default`. Rejects with StoreUnavailable. */
export async function completeVectors(
  vectors: VectorStore,
  face: Pick<FaceKeys, 'owner' | 'id'>,
  galleries: readonly string[],
): Promise<boolean> {
  const [main] = keysIn(face, [DEFAULT_GALLERY])
  const vector = main && (await vectors.get(main))
  if (!vector) return false
  for (const key of keysIn(face, galleries))
    if (!(await vectors.get(key))) await vectors.add([{ ...key, vector }]).catch(ignoreDuplicate)
  return true
}

/** Another core may have added the vector at the same time. */
function ignoreDuplicate(error: unknown) {
  if (!(error instanceof VectorRefused && error.why === 'duplicate')) throw error
}
