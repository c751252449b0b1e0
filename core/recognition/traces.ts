/** What is kept of a face beside its row in the metadata: a vector in each of its galleries, and its pictures. */
import { DEFAULT_GALLERY, storeGallery } from '../contract/gallery.ts'
import type { FaceKeys } from '../metadata/faces.ts'
import type { VectorKey } from '../store/store.ts'
import type { Stores } from './parts.ts'

/** The places of a face's vector: in `default` and in each named gallery. */
export const vectorKeys = ({ owner, id, galleries }: FaceKeys): VectorKey[] =>
  [DEFAULT_GALLERY, ...galleries].map(gallery => ({ gallery: storeGallery(owner, gallery), id }))

/** Removes what is kept of faces that have no row any more, or never got one. */
export async function removeTraces(
  { vectors, pictures }: Pick<Stores, 'vectors' | 'pictures'>,
  faces: readonly FaceKeys[],
): Promise<void> {
  await vectors.remove(faces.flatMap(vectorKeys))
  await pictures.remove(faces)
}
