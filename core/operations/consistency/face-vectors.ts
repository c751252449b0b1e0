/** The vectors of a face: one in `default`, and the same one in each named gallery. */
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import type { FaceKeys } from '../../metadata/queries/faces.ts'
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
  await addAt(vectors, keysIn(face, galleries), vector)
  return true
}

/** Adds the vector to `default` and the named galleries where the face has none. Rejects with StoreUnavailable. */
export const addMissingVectors = (
  vectors: VectorStore,
  face: FaceKeys,
  vector: Float32Array,
): Promise<void> => addAt(vectors, vectorKeys(face), vector)

async function addAt(vectors: VectorStore, keys: readonly VectorKey[], vector: Float32Array): Promise<void> {
  for (const key of keys)
    if (!(await vectors.get(key))) await vectors.add([{ ...key, vector }]).catch(ignoreDuplicate)
}

/**
 * Replaces the vector of a face in `default` and its named galleries. A crash in between leaves the face without a vector: the
 * caller's intent has the new one. Rejects with StoreUnavailable.
 */
export async function replaceVectors(
  vectors: VectorStore,
  face: FaceKeys,
  vector: Float32Array,
): Promise<void> {
  const keys = vectorKeys(face)
  await vectors.remove(keys)
  await vectors.add(keys.map(key => ({ ...key, vector }))).catch(ignoreDuplicate)
}

/** Another core may have added the vector at the same time. */
function ignoreDuplicate(error: unknown): void {
  if (!(error instanceof VectorRefused && error.why === 'duplicate')) throw error
}
