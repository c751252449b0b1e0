/** Conversion to another embedder: embeds all faces from their normalized pictures into the next generation. */
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { GALLERY_OF_OWNER } from '../../../contract/model/gallery.ts'
import type { ChipModel, EmbedderModel } from '../../../models/manifest.ts'
import { chipToChip } from '../../../wasm/alignment/align.ts'
import { photoOfRaster } from '../../../wasm/imaging/orientation.ts'
import { warp } from '../../../wasm/imaging/views.ts'
import { layoutOf, layoutText } from '../../embedding/label.ts'
import { deleteFaces } from '../../metadata/face-changes/deletions.ts'
import { type FaceKeys, faceCounts, faceKeysOf, nextFaceKeys } from '../../metadata/faces/faces.ts'
import { readNormalized } from '../../pictures/encode.ts'
import type { PictureKey } from '../../pictures/pictures.ts'
import type { VectorEntry, VectorKey, VectorStore } from '../../vector-store/vector-store.ts'
import { vectorKeys } from '../consistency/face-vectors.ts'
import type { Services, Stores } from '../services.ts'

/** Settings and dependencies of a conversion. */
interface Conversion {
  /** The served stores, after reconciliation (reconcile.ts). No other process may use them. */
  stores: Stores
  /** The next generation. It may contain vectors of an interrupted conversion. Nothing was changed since. */
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
  faceless: number
}

/** Faces of one batch. */
const FACES_PER_BATCH = 128

/**
 * Fills the next generation. Each vector of a face gets a new vector, except for lost faces. Vectors in galleries without an owner
 * are copied. Skips vectors that the generation already contains.
 */
export async function convert(conversion: Conversion): Promise<LostFaces> {
  const { stores, onProgress = () => {} } = conversion
  const total = (await faceCounts(stores.database)).reduce((sum, { faces }) => sum + faces, 0)
  const lost: LostFaces = { faces: [], faceless: 0 }
  let done = 0
  onProgress(done, total)
  // Faces whose owner was deleted since the interruption.
  for await (const keys of facelessVectors(stores, conversion.next)) await conversion.next.remove(keys)
  for (let above = -1; ; ) {
    const faces = await nextFaceKeys(stores.database, above, FACES_PER_BATCH)
    const last = faces.at(-1)
    if (!last) break
    lost.faces.push(...(await convertFaces(conversion, faces)))
    above = last.id
    done += faces.length
    onProgress(done, total)
  }
  for await (const keys of facelessVectors(stores, stores.vectors)) lost.faceless += keys.length
  await copyOthers(conversion)
  return lost
}

/** Deletes the rows of these faces. Reconciliation at the next start removes their vectors and pictures. */
export async function dropFaces({ database }: Stores, faces: readonly FaceKeys[]): Promise<void> {
  const work = { id: environment.id(), since: environment.now() }
  for (const { owner, id } of faces) await deleteFaces(database, work, owner, { id })
}

/** Converts a batch of faces. Returns the lost ones. */
async function convertFaces(conversion: Conversion, faces: readonly FaceKeys[]): Promise<FaceKeys[]> {
  const { stores, next, embed, chip } = conversion
  const keys = faces.flatMap(face => vectorKeys(face).map(key => ({ ...key, face })))
  const stored = await Promise.all(keys.map(key => next.get(key)))
  const lacking = keys.filter((_, i) => !stored[i])
  const chips = new Map<FaceKeys, Uint8Array>()
  const wanted = [...new Set(lacking.map(key => key.face))]
  // Pictures are decoded concurrently on other threads.
  const pictures = await Promise.all(wanted.map(face => storedChip(stores, face, chip)))
  for (const [i, picture] of pictures.entries()) if (picture) chips.set(wanted[i]!, picture)
  const vectors = await embed([...chips.values()])
  const vectorOf = new Map([...chips.keys()].map((face, i) => [face, vectors[i]!]))
  const entries = lacking.flatMap(({ gallery, id, face }): VectorEntry[] => {
    const vector = vectorOf.get(face)
    return vector ? [{ gallery, id, vector }] : []
  })
  if (entries.length > 0) await next.add(entries)
  return wanted.filter(face => !chips.has(face))
}

/**
 * The enrolled chip from the stored picture, byte for byte; converted to the wanted layout if it was made for another embedder.
 * Undefined when the picture is missing or unreadable.
 */
export async function storedChip(
  { pictures }: Stores,
  face: PictureKey,
  wanted: ChipModel,
): Promise<Uint8Array | undefined> {
  const png = await pictures.read(face, 'normalized')
  const picture = png && (await readNormalized(png).catch(() => undefined))
  const layout = picture && layoutOf(picture.layout)
  if (!layout || picture.width !== layout.size || picture.height !== layout.size) return undefined
  const isWanted = layoutText(layout) === layoutText(wanted)
  return isWanted ? picture.data : convertChip(picture.data, layout, wanted)
}

/** Converts a chip to another layout. Areas outside of the chip repeat its edge pixels. */
export const convertChip = (data: Uint8Array, from: ChipModel, to: ChipModel): Uint8Array =>
  warp(
    photoOfRaster({ data, width: from.size, height: from.size }),
    chipToChip(to, from),
    to.size,
    to.size,
    'continued',
  )

/** Yields the vectors in galleries of owners that belong to no face in the gallery. The caller may remove them during the walk. */
export async function* facelessVectors(
  { database }: Stores,
  vectors: VectorStore,
): AsyncGenerator<VectorKey[], void> {
  for (const { gallery } of await vectors.galleries())
    for await (const page of pagesOf(vectors, gallery, true)) {
      const ids = page.map(({ id }) => id)
      const keys = (await faceKeysOf(database, ids)).flatMap(vectorKeys)
      const theirs = new Set(keys.filter(key => key.gallery === gallery).map(({ id }) => id))
      yield ids.filter(id => !theirs.has(id)).map(id => ({ gallery, id }))
    }
}

/** Copies all vectors of galleries without an owner. */
async function copyOthers({ stores, next }: Conversion) {
  for (const { gallery } of await stores.vectors.galleries())
    for await (const page of pagesOf(stores.vectors, gallery, false)) {
      const stored = await Promise.all(page.map(({ id }) => next.get({ gallery, id })))
      const missing = page.filter((_, i) => !stored[i])
      if (missing.length > 0) await next.add(missing.map(({ id, vector }) => ({ gallery, id, vector })))
    }
}

/** Yields the vectors of a gallery if it is one of an owner, or if it is none. */
async function* pagesOf(vectors: VectorStore, gallery: string, isOfOwner: boolean) {
  if (GALLERY_OF_OWNER.test(gallery) !== isOfOwner) return
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page = await vectors.list(gallery, from, FACE_LIMITS.reconcileBatch)
    yield page.vectors
    from = page.next
  }
}
