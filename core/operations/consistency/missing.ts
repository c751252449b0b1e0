/** Finds missing vectors and pictures of faces. */
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { type FaceKeys, nextFaceKeys } from '../../metadata/faces/faces.ts'
import type { PictureFile } from '../../pictures/pictures.ts'
import type { VectorKey, VectorStore } from '../../vector-store/vector-store.ts'
import type { Stores } from '../services.ts'
import { vectorKeys } from './face-vectors.ts'

/** Stores whose faces are checked. */
export interface CheckedStores extends Pick<Stores, 'database' | 'pictures'> {
  vectors: Pick<VectorStore, 'galleries' | 'list'>
}

/** Missing vectors and pictures of one batch of faces. */
export interface Missing {
  /** Number of checked faces. */
  faces: number
  vectors: VectorKey[]
  pictures: PictureFile[]
}

/**
 * Checks all faces in batches, by ascending id. No other process may change them during the check. Rejects with StoreUnavailable and
 * PicturesUnavailable.
 */
export async function* findMissing({ database, vectors, pictures }: CheckedStores): AsyncGenerator<Missing> {
  for (let above = -1; ; ) {
    const faces = await nextFaceKeys(database, above, FACE_LIMITS.reconcileBatch)
    const last = faces.at(-1)
    if (!last) return
    yield {
      faces: faces.length,
      vectors: await missingVectors(vectors, faces),
      pictures: await pictures.missing(faces.filter(face => face.pictured)),
    }
    above = last.id
  }
}

async function missingVectors(
  vectors: CheckedStores['vectors'],
  faces: readonly FaceKeys[],
): Promise<VectorKey[]> {
  const missing: VectorKey[] = []
  for (const [gallery, keys] of Map.groupBy(faces.flatMap(vectorKeys), key => key.gallery)) {
    const present = await idsBetween(vectors, gallery, keys[0]!.id, keys.at(-1)!.id)
    missing.push(...keys.filter(({ id }) => !present.has(id)))
  }
  return missing
}

/** Ids in a gallery of the store from `first` to `last`. The last page may add greater ids. */
async function idsBetween(vectors: CheckedStores['vectors'], gallery: string, first: number, last: number) {
  const ids = new Set<number>()
  for (let from: number | undefined = first; from !== undefined && from <= last; ) {
    const page = await vectors.list(gallery, from, FACE_LIMITS.reconcileBatch)
    for (const { id } of page.vectors) ids.add(id)
    from = page.next
  }
  return ids
}
