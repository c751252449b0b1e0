/** Reconciliation: after a crash, what has no row in the metadata is removed, and what a row misses is counted. */
import { DEFAULT_GALLERY } from '../contract/gallery.ts'
import { type FaceKeys, nextFaceKeys } from '../metadata/faces.ts'
import type { PictureKey } from '../pictures/files.ts'
import type { VectorKey } from '../store/store.ts'
import type { Stores } from './parts.ts'
import { vectorKeys } from './traces.ts'

/** What was removed, and what is missing, which only a backup or a new photo can bring back. */
export interface Reconciliation {
  vectorsRemoved: number
  picturesRemoved: number
  vectorsMissing: number
  picturesMissing: number
}

/** Rows, vectors or files that are handled at once. */
const STRIDE = 1_000

/** The store's name of a face's gallery, as contract/gallery.ts makes it. */
const STORE_GALLERY = /^([0-9a-f]{24})_(.+)$/

/** Pictures of one face. */
const PICTURES_PER_FACE = 2

/** Makes vectors and pictures agree with the metadata. Run before anything is served. */
export async function reconcile(parts: Stores): Promise<Reconciliation> {
  const faces = await allFaces(parts)
  const vectors = await reconcileVectors(parts, faces)
  const pictures = await reconcilePictures(parts, faces)
  const vectorsDue = [...faces.values()].reduce((sum, face) => sum + vectorKeys(face).length, 0)
  return {
    vectorsRemoved: vectors.removed,
    picturesRemoved: pictures.removed,
    vectorsMissing: vectorsDue - vectors.kept,
    picturesMissing: faces.size * PICTURES_PER_FACE - pictures.kept,
  }
}

type Faces = ReadonlyMap<number, FaceKeys>

async function allFaces({ database }: Pick<Stores, 'database'>): Promise<Faces> {
  const faces = new Map<number, FaceKeys>()
  for (let above = -1; ; ) {
    const next = await nextFaceKeys(database, above, STRIDE)
    for (const face of next) faces.set(face.id, face)
    const last = next.at(-1)
    if (!last) return faces
    above = last.id
  }
}

async function reconcileVectors({ vectors }: Pick<Stores, 'vectors'>, faces: Faces) {
  let kept = 0
  const orphans: VectorKey[] = []
  for await (const key of vectors.keys()) {
    if (hasVector(faces, key)) kept++
    else orphans.push(key)
  }
  for (let i = 0; i < orphans.length; i += STRIDE) await vectors.remove(orphans.slice(i, i + STRIDE))
  return { kept, removed: orphans.length }
}

function hasVector(faces: Faces, { gallery, id }: VectorKey): boolean {
  const [, owner, name = ''] = STORE_GALLERY.exec(gallery) ?? []
  const face = faces.get(id)
  return face?.owner === owner && (name === DEFAULT_GALLERY || face?.galleries.includes(name) === true)
}

async function reconcilePictures({ pictures }: Pick<Stores, 'pictures'>, faces: Faces) {
  let kept = 0
  const orphans: PictureKey[] = []
  for await (const { owner, id } of pictures.list()) {
    if (faces.get(id)?.owner === owner) kept++
    else orphans.push({ owner, id })
  }
  for (let i = 0; i < orphans.length; i += STRIDE) await pictures.remove(orphans.slice(i, i + STRIDE))
  return { kept, removed: orphans.length }
}
