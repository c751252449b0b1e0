/** The vectors that a face has in its named galleries, made out of the one in `default`: that of a face is the same in each. */
import { DEFAULT_GALLERY } from '../../contract/model/gallery.ts'
import type { FaceKeys } from '../../metadata/queries/faces.ts'
import { VectorRefused, type VectorStore } from '../../vector-store/vector-store.ts'
import { keysIn } from './vector-keys.ts'

/** Adds what is not there yet. False when the face has none in `default`: then nothing can be. Rejects with StoreUnavailable. */
export async function completeVectors(
  vectors: VectorStore,
  face: Pick<FaceKeys, 'owner' | 'id'>,
  galleries: readonly string[],
): Promise<boolean> {
  const [main] = keysIn(face, [DEFAULT_GALLERY])
  const vector = main && (await vectors.get(main))
  if (!vector) return false
  for (const key of keysIn(face, galleries))
    if (!(await vectors.get(key))) await vectors.add([{ ...key, vector }]).catch(unlessThere)
  return true
}

/** Another core may be at the same. */
function unlessThere(error: unknown): void {
  if (!(error instanceof VectorRefused && error.why === 'duplicate')) throw error
}
