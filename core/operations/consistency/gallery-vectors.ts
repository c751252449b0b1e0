/** Copies the vector of a face from `default` to named galleries. A face has the same vector in each gallery. */
import { DEFAULT_GALLERY } from '../../../contract/model/gallery.ts'
import type { FaceKeys } from '../../metadata/queries/faces.ts'
import { VectorRefused, type VectorStore } from '../../vector-store/vector-store.ts'
import { keysIn } from './vector-keys.ts'

/** Adds missing vectors. False when the face has no vector in `default` to copy. Rejects with StoreUnavailable. */
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
function ignoreDuplicate(error: unknown): void {
  if (!(error instanceof VectorRefused && error.why === 'duplicate')) throw error
}
