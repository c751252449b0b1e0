/** Conversion to another embedder: embeds all faces from their normalized pictures into the next generation. */
import { randomUUID } from 'node:crypto'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { GALLERY_OF_OWNER } from '../../../contract/model/gallery.ts'
import type { ChipModel, EmbedderModel } from '../../../models/manifest.ts'
import { chipToChip } from '../../../wasm/alignment/align.ts'
import { uprightPhoto, warp } from '../../../wasm/imaging/image.ts'
import { layoutOf } from '../../embedding/label.ts'
import { deleteFaces } from '../../metadata/queries/deletions.ts'
import { type FaceKeys, faceCounts, faceKeysOf, nextFaceKeys } from '../../metadata/queries/faces.ts'
import { readNormalized } from '../../pictures/encode.ts'
import type { VectorEntry, VectorStore } from '../../vector-store/vector-store.ts'
import { vectorKeys } from '../consistency/face-vectors.ts'
import type { Services, Stores } from '../services.ts'

/** Settings and dependencies of a conversion. */
export interface Conversion {
  /** The served stores, after reconciliation (reconcile.ts). No other process may use them. */
  stores: Stores
  /** The next generation. It may contain vectors of an interrupted conversion. */
  next: VectorStore
  /** Chip layout of the new embedder. */
  chip: EmbedderModel['chip']
  embed: Services['embed']
  /** Receives the number of converted faces and of all faces. */
  onProgress?: (done: number, total: number) => void
}

/** Data that cannot be converted. */
export interface LostFaces {
  /** Faces whose normalized picture is missing or unreadable. */
  faces: FaceKeys[]
  /** Vectors in galleries of owners without a face, added by store operators. */
  strays: number
}

/** Faces of one batch. */
const STRIDE = 128

/**
 * Fills the next generation: a new vector for each vector of a face, except for lost faces, and copies of the vectors in
 * galleries without an owner. Skips vectors that it already contains.
 */
export async function convert(conversion: Conversion): Promise<LostFaces> {
  const { stores, onProgress = () => {} } = conversion
  const total = (await faceCounts(stores.database)).reduce((sum, { faces }) => sum + faces, 0)
  const lost: LostFaces = { faces: [], strays: 0 }
  let done = 0
  onProgress(done, total)
  for (let above = -1; ; ) {
    const faces = await nextFaceKeys(stores.database, above, STRIDE)
    const last = faces.at(-1)
    if (!last) break
    lost.faces.push(...(await convertFaces(conversion, faces)))
    above = last.id
    done += faces.length
    onProgress(done, total)
  }
  for (const { gallery } of await stores.vectors.galleries())
    lost.strays += await copyOthers(conversion, gallery)
  return lost
}

/** Deletes the rows of these faces. Reconciliation at the next start removes their vectors and pictures. */
export async function dropFaces({ database }: Stores, faces: readonly FaceKeys[]): Promise<void> {
  const work = { id: randomUUID(), since: Date.now() }
  for (const { owner, id } of faces) await deleteFaces(database, work, owner, { id })
}

/** Converts a batch of faces. Returns the lost ones. */
async function convertFaces(conversion: Conversion, faces: readonly FaceKeys[]): Promise<FaceKeys[]> {
  const { next, embed } = conversion
  const keys = faces.flatMap(face => vectorKeys(face).map(key => ({ ...key, face })))
  const stored = await Promise.all(keys.map(key => next.get(key)))
  const lacking = keys.filter((_, i) => !stored[i])
  const chips = new Map<FaceKeys, Uint8Array>()
  const wanted = [...new Set(lacking.map(key => key.face))]
  // Pictures are decoded concurrently on other threads.
  for (const [i, chip] of (await Promise.all(wanted.map(face => chipOf(conversion, face)))).entries())
    if (chip) chips.set(wanted[i]!, chip)
  const vectors = await embed([...chips.values()])
  const vectorOf = new Map([...chips.keys()].map((face, i) => [face, vectors[i]!]))
  const entries = lacking.flatMap(({ gallery, id, face }): VectorEntry[] => {
    const vector = vectorOf.get(face)
    return vector ? [{ gallery, id, vector }] : []
  })
  if (entries.length > 0) await next.add(entries)
  return [...new Set(lacking.map(key => key.face))].filter(face => !chips.has(face))
}

/** Chip for the new embedder from the stored picture; undefined when the picture is missing or unreadable. */
async function chipOf({ stores, chip }: Conversion, face: FaceKeys): Promise<Uint8Array | undefined> {
  const png = await stores.pictures.read(face, 'normalized')
  const picture = png && (await readNormalized(png).catch(() => undefined))
  const layout = picture && layoutOf(picture.layout)
  if (!picture || !layout || picture.width !== layout.size || picture.height !== layout.size) return undefined
  return converted(picture.data, layout, chip)
}

/** Converts a chip to another layout. Areas outside of the chip repeat its edge pixels. */
export const converted = (data: Uint8Array, from: ChipModel, to: ChipModel): Uint8Array =>
  warp(
    uprightPhoto({ data, width: from.size, height: from.size }),
    chipToChip(to, from),
    to.size,
    to.size,
    'continued',
  )

/** In a gallery without an owner, copies all vectors. In a gallery of an owner, counts vectors that belong to no face in it. */
async function copyOthers({ stores, next }: Conversion, gallery: string): Promise<number> {
  const [, owner] = GALLERY_OF_OWNER.exec(gallery) ?? []
  let strays = 0
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page = await stores.vectors.list(gallery, from, FACE_LIMITS.reconcileBatch)
    const ids = page.vectors.map(({ id }) => id)
    if (owner === undefined) {
      const stored = await Promise.all(ids.map(id => next.get({ gallery, id })))
      const missing = page.vectors.filter((_, i) => !stored[i])
      if (missing.length > 0) await next.add(missing.map(({ id, vector }) => ({ gallery, id, vector })))
    } else {
      const faces = await faceKeysOf(stores.database, ids)
      const theirs = faces.filter(
        face => face.owner === owner && vectorKeys(face).some(key => key.gallery === gallery),
      )
      strays += ids.length - theirs.length
    }
    from = page.next
  }
  return strays
}
