/** Repairs a data folder after a loss: rebuilds vectors, and on request deletes data that cannot be rebuilt. */

import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { ChipModel } from '../../../models/manifest.ts'
import { type FaceKeys, faceKeysOf, markUnpictured } from '../../metadata/faces/faces.ts'
import type { PictureKey } from '../../pictures/pictures.ts'
import type { VectorEntry, VectorKey } from '../../vector-store/vector-store.ts'
import { vectorKeys } from '../consistency/face-vectors.ts'
import { findMissing, type Missing } from '../consistency/missing.ts'
import type { Services, Stores } from '../services.ts'
import { dropFaces, facelessVectors, storedChip } from './reembed.ts'

/** Findings of a repair. */
export interface Repair {
  /** Number of all faces. */
  faces: number
  /** Missing vectors that can be rebuilt from another vector of the face or from its picture. */
  rebuilt: number
  /** Faces without a vector and without a picture to rebuild it. */
  lostFaces: number
  /** Faces with a missing picture. Searches still find them; links to the picture return NOT_FOUND. */
  unpictured: number
  /** Vectors in galleries of owners that belong to no face, and pictures that belong to no face. */
  facelessVectors: number
  facelessPictures: number
}

/** Settings and dependencies of a repair. */
interface Repairing {
  stores: Stores
  /** Embeds chips with the embedder of the stored vectors. `chip` is its chip layout. */
  embed: Services['embed']
  chip: ChipModel
  /** Whether to change data. False: count only. */
  apply: boolean
  /** Whether to delete data that cannot be rebuilt. */
  accept: boolean
  /** Records deleted faces in the audit log. */
  removed(faces: readonly FaceKeys[]): Promise<void>
  onProgress?: (faces: number) => void
}

/** Checks all faces, vectors and pictures. No other process may use the stores. An interrupted repair can be repeated. */
export async function repair(repairing: Repairing): Promise<Repair> {
  const done: Repair = {
    faces: 0,
    rebuilt: 0,
    lostFaces: 0,
    unpictured: 0,
    facelessVectors: 0,
    facelessPictures: 0,
  }
  for await (const missing of findMissing(repairing.stores)) {
    done.faces += missing.faces
    await repairFaces(repairing, missing, done)
    repairing.onProgress?.(done.faces)
  }
  done.facelessVectors = await countFaceless(repairing)
  done.facelessPictures = await facelessPictures(repairing)
  return done
}

async function repairFaces(repairing: Repairing, missing: Missing, done: Repair) {
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

/** Rebuilds the missing vectors of these faces. `lost` are faces whose vectors cannot be rebuilt. */
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
  // A count needs no embeddings.
  const vectors = apply ? await embed(toEmbed.map(({ chip }) => chip)) : []
  for (const [i, { face }] of toEmbed.entries()) add(face, vectors[i] ?? new Float32Array(0))
  return { entries, lost }
}

/** Vector of the face in another gallery. It is the same in each gallery. */
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

/** Counts vectors in galleries of owners that belong to no face in the gallery. Removes them with `apply` and `accept`. */
async function countFaceless({ stores, apply, accept }: Repairing) {
  let faceless = 0
  for await (const keys of facelessVectors(stores, stores.vectors)) {
    faceless += keys.length
    if (apply && accept) await stores.vectors.remove(keys)
  }
  return faceless
}

/** Counts pictures that belong to no face. Removes them with `apply` and `accept`. */
async function facelessPictures({ stores, apply, accept }: Repairing) {
  const { database, pictures } = stores
  let faceless = 0
  let some = new Map<number, PictureKey>()
  const checkBatch = async () => {
    const faces = new Map((await faceKeysOf(database, [...some.keys()])).map(face => [face.id, face.owner]))
    const found = [...some.values()].filter(({ id, owner }) => faces.get(id) !== owner)
    faceless += found.length
    if (apply && accept) await pictures.remove(found)
    some = new Map()
  }
  for await (const { id, owner } of pictures.list()) {
    some.set(id, { id, owner })
    if (some.size >= FACE_LIMITS.reconcileBatch) await checkBatch()
  }
  await checkBatch()
  return faceless
}
