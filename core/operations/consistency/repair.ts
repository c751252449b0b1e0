/** Repair of a data folder of which a part is lost: what can be rebuilt is, and what cannot be is given up when that is asked for. */
import type { ChipModel } from '../../../models/manifest.ts'
import { LIMITS } from '../../contract/limits.ts'
import { GALLERY_OF_OWNER } from '../../contract/model/gallery.ts'
import { layoutOf, layoutText } from '../../embedding/chip-layout.ts'
import { type FaceKeys, faceKeysOf, markUnpictured } from '../../metadata/queries/faces.ts'
import { readNormalized } from '../../pictures/encode.ts'
import type { PictureKey } from '../../pictures/pictures.ts'
import type { VectorEntry, VectorKey } from '../../vector-store/vector-store.ts'
import type { Services, Stores } from '../services.ts'
import { converted, dropFaces } from '../upkeep/reembed.ts'
import { type Missing, missingOf } from './missing.ts'
import { vectorKeys } from './vector-keys.ts'

/** What a repair found, or did. */
export interface Repair {
  /** Faces that there are. */
  faces: number
  /** Vectors that are missing and can be made: from another vector of the same face, or from its picture. */
  rebuilt: number
  /** Faces without a vector, and without a picture to make it of. */
  lostFaces: number
  /** Faces of which a picture is missing. They are found as before; their links lead nowhere. */
  unpictured: number
  /** Vectors in owners' galleries, and pictures, that belong to no face. */
  strayVectors: number
  strayPictures: number
}

export interface Repairing {
  stores: Stores
  /** Makes embeddings of chips, with the embedder of the stored vectors; `chip` is how it wants them laid out. */
  embed: Services['embed']
  chip: ChipModel
  /** Whether anything is changed; else it is counted alone. */
  apply: boolean
  /** Whether what cannot be rebuilt is removed. */
  accept: boolean
  /** Writes down in the audit log which faces were removed. */
  removed(faces: readonly FaceKeys[]): Promise<void>
  onProgress?: ((faces: number) => void) | undefined
}

/** Checks every face, vector and picture. No other process may use the stores. An interrupted repair can be run again. */
export async function repair(repairing: Repairing): Promise<Repair> {
  const done: Repair = {
    faces: 0,
    rebuilt: 0,
    lostFaces: 0,
    unpictured: 0,
    strayVectors: 0,
    strayPictures: 0,
  }
  for await (const missing of missingOf(repairing.stores)) {
    done.faces += missing.faces
    await repairFaces(repairing, missing, done)
    repairing.onProgress?.(done.faces)
  }
  done.strayVectors = await strayVectors(repairing)
  done.strayPictures = await strayPictures(repairing)
  return done
}

async function repairFaces(repairing: Repairing, missing: Missing, done: Repair): Promise<void> {
  const { stores, apply, accept } = repairing
  const byFace = Map.groupBy(missing.vectors, ({ id }) => id)
  const faces = await faceKeysOf(stores.database, [...byFace.keys()])
  const { entries, lost } = await rebuiltVectors(repairing, faces, byFace)
  done.rebuilt += entries.length
  done.lostFaces += lost.length
  if (apply && entries.length > 0) await stores.vectors.add(entries)
  if (apply && accept && lost.length > 0) {
    await dropFaces(stores, lost)
    await repairing.removed(lost)
  }
  const gone = new Set(lost.map(({ id }) => id))
  const unpictured = [...new Set(missing.pictures.map(({ id }) => id))].filter(id => !gone.has(id))
  done.unpictured += unpictured.length
  if (apply && accept && unpictured.length > 0) await markUnpictured(stores.database, unpictured)
}

/** The missing vectors of these faces as far as they can be had, and the faces of which none can. */
async function rebuiltVectors(
  { stores, embed, chip: wanted, apply }: Repairing,
  faces: readonly FaceKeys[],
  missing: ReadonlyMap<number, readonly VectorKey[]>,
): Promise<{ entries: VectorEntry[]; lost: FaceKeys[] }> {
  const lost: FaceKeys[] = []
  const entries: VectorEntry[] = []
  const toEmbed: { face: FaceKeys; chip: Uint8Array }[] = []
  const add = (face: FaceKeys, vector: Float32Array) =>
    entries.push(...missing.get(face.id)!.map(key => ({ ...key, vector })))
  for (const face of faces) {
    const vector = await otherVector(stores, face, missing.get(face.id)!)
    const chip = vector ? undefined : await storedChip(stores, face, wanted)
    if (vector) add(face, vector)
    else if (chip) toEmbed.push({ face, chip })
    else lost.push(face)
  }
  // Counting needs no embeddings.
  const vectors = apply ? await embed(toEmbed.map(({ chip }) => chip)) : []
  for (const [i, { face }] of toEmbed.entries()) add(face, vectors[i] ?? new Float32Array(0))
  return { entries, lost }
}

/** A vector that the face has in another gallery: it is the same in each. */
async function otherVector(
  { vectors }: Stores,
  face: FaceKeys,
  missing: readonly VectorKey[],
): Promise<Float32Array | undefined> {
  const lacking = new Set(missing.map(({ gallery }) => gallery))
  for (const key of vectorKeys(face)) {
    const vector = lacking.has(key.gallery) ? undefined : await vectors.get(key)
    if (vector) return vector
  }
  return undefined
}

/** The chip that the face was enrolled with, to the byte; laid out anew where that was for another embedder. */
async function storedChip(
  { pictures }: Stores,
  face: PictureKey,
  wanted: ChipModel,
): Promise<Uint8Array | undefined> {
  const png = await pictures.read(face, 'normalized')
  const picture = png && (await readNormalized(png).catch(() => undefined))
  const layout = picture && layoutOf(picture.layout)
  if (!layout || picture.width !== layout.size || picture.height !== layout.size) return undefined
  const isWanted = layoutText(layout) === layoutText(wanted)
  return isWanted ? picture.data : converted(picture.data, layout, wanted)
}

/** Counts the vectors in owners' galleries that belong to no face there; removes them where that is asked for. */
async function strayVectors({ stores, apply, accept }: Repairing): Promise<number> {
  const { database, vectors } = stores
  let strays = 0
  for (const { gallery } of await vectors.galleries()) {
    const [, owner] = GALLERY_OF_OWNER.exec(gallery) ?? []
    for (let from: number | undefined = owner === undefined ? undefined : 0; from !== undefined; ) {
      const page = await vectors.list(gallery, from, LIMITS.settleStride)
      const ids = page.vectors.map(({ id }) => id)
      const faces = await faceKeysOf(database, ids)
      const theirs = new Set(
        faces.filter(face => face.owner === owner && isIn(face, gallery)).map(({ id }) => id),
      )
      const stray = ids.filter(id => !theirs.has(id)).map(id => ({ gallery, id }))
      strays += stray.length
      if (apply && accept) await vectors.remove(stray)
      from = page.next
    }
  }
  return strays
}

const isIn = (face: FaceKeys, gallery: string): boolean =>
  vectorKeys(face).some(key => key.gallery === gallery)

/** The same for pictures. */
async function strayPictures({ stores, apply, accept }: Repairing): Promise<number> {
  const { database, pictures } = stores
  let strays = 0
  let some = new Map<number, PictureKey>()
  const look = async (): Promise<void> => {
    const faces = new Map((await faceKeysOf(database, [...some.keys()])).map(face => [face.id, face.owner]))
    const stray = [...some.values()].filter(({ id, owner }) => faces.get(id) !== owner)
    strays += stray.length
    if (apply && accept) await pictures.remove(stray)
    some = new Map()
  }
  for await (const { id, owner } of pictures.list()) {
    some.set(id, { id, owner })
    if (some.size >= LIMITS.settleStride) await look()
  }
  await look()
  return strays
}
