/**
 * Completes a copy that was made while the service ran: its indexes, unknown faces, and faces that were deleted or changed
 * galleries during the copy.
 */
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { environment } from '../../contract/environment.ts'
import { GALLERY_OF_OWNER } from '../../contract/model/gallery.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { filesAtDepth } from '../files/inspect.ts'
import { closeAsOneFile, closeDatabase, type Database, openDatabase } from '../metadata/database.ts'
import { deleteFaces } from '../metadata/face-changes/deletions.ts'
import { type FaceKeys, faceKeysOf, nextFaceKeys } from '../metadata/faces/faces.ts'
import { insertIntents } from '../metadata/faces/intents.ts'
import { vectorKeys } from '../operations/consistency/face-vectors.ts'
import { servedShards } from '../vector-store/generation.ts'
import { openVectorStore } from '../vector-store/open.ts'
import { openRowFile } from '../vector-store/rows/row-file.ts'
import { unbuiltIndex } from '../vector-store/rows/row-reader.ts'
import { type RowForm, rowForm } from '../vector-store/rows/row-record.ts'
import { ROWS } from '../vector-store/shard/shard-open.ts'

/** Faces of one batch. */
const FACES_PER_BATCH = 1_000

/** All faces of a database by rising id, in batches. */
export async function* allFaces(
  database: Database,
): AsyncGenerator<Awaited<ReturnType<typeof nextFaceKeys>>> {
  for (let above = -1; ; ) {
    const faces = await nextFaceKeys(database, above, FACES_PER_BATCH)
    const last = faces.at(-1)
    if (!last) return
    above = last.id
    yield faces
  }
}

/**
 * Deletes faces that the original no longer has from the metadata of the copy: their vectors and pictures may be missing in the
 * copy. Faces that changed galleries get a vector in each gallery. Writes intents for vectors without a face: the first start of
 * the copy reconciles them. Returns the number of faces.
 */
export async function reconcileCopy(copy: string, data: string, dataKey?: DataKey): Promise<number> {
  const then = await openDatabase(copy, { dataKey })
  const now = await openDatabase(data, { dataKey })
  let changed: Moved[] = []
  let count = 0
  try {
    for await (const faces of allFaces(then)) {
      const live = await faceKeysOf(
        now,
        faces.map(({ id }) => id),
      )
      const { gone, moved } = compareFaces(faces, live)
      for (const { owner, id } of gone) await deleteFaces(then, newWork(), owner, { id })
      await insertChangedIntents(then, moved)
      changed = changed.concat(moved)
      count += faces.length - gone.length
    }
  } finally {
    await closeDatabase(now)
    await closeAsOneFile(then)
  }
  if (changed.length > 0) await completeVectors(copy, changed, dataKey)
  return count
}

/** A face as copied, and its galleries in the original. */
type Moved = FaceKeys & { live: readonly string[] }

/** Faces that were deleted since the copy, and faces whose galleries changed. */
function compareFaces(then: readonly FaceKeys[], now: readonly FaceKeys[]) {
  const live = new Map(now.map(face => [face.id, face]))
  const gone = then.filter(({ id }) => !live.has(id))
  const moved = then.filter(({ id, galleries }) => {
    const other = live.get(id)?.galleries ?? galleries
    return other.join() !== galleries.join()
  })
  return { gone, moved: moved.map(face => ({ ...face, live: live.get(face.id)!.galleries })) }
}

/** The work of new intents. */
export const newWork = () => ({ id: environment.id(), since: environment.now() })

/** Writes intents with all galleries in which the faces may have a vector. */
async function insertChangedIntents(database: Database, faces: readonly Moved[]) {
  const everywhere = faces.map(face => ({
    ...face,
    galleries: [...new Set([...face.galleries, ...face.live])],
  }))
  if (faces.length > 0) await insertIntents(database, newWork(), everywhere)
}

/** Copies the vector of each face from `default` to its named galleries. */
async function completeVectors(copy: string, faces: readonly FaceKeys[], dataKey: DataKey | undefined) {
  const vectors = await openVectorStore(join(copy, 'vectors'), { dataKey })
  try {
    for (const face of faces) {
      const [main, ...named] = vectorKeys(face)
      const vector = await vectors.get(main!)
      if (!vector) continue
      for (const key of named) if (!(await vectors.get(key))) await vectors.add([{ ...key, vector }])
    }
  } finally {
    await vectors.close()
  }
}

/** For faces with an id of at least `from`: removes their pictures, and writes intents for their vectors for the first start. */
export async function removeUnknownFaces(copy: string, from: number, dataKey?: DataKey): Promise<void> {
  const database = await openDatabase(copy, { dataKey })
  try {
    for (const shard of await servedShards(join(copy, 'vectors'))) {
      for (const { gallery, ids } of vectorIds(join(copy, 'vectors', shard, ROWS), from, rowForm(dataKey)))
        await insertFacelessIntents(database, gallery, ids)
    }
    await removePictures(database, copy, from)
  } finally {
    await closeAsOneFile(database)
  }
}

/** Yields for each gallery the ids of its vectors from `from` on, ascending. */
function* vectorIds(path: string, from: number, form: RowForm): Iterable<{ gallery: string; ids: number[] }> {
  const file = openRowFile(path, form)
  try {
    for (const gallery of file.galleries().whole) {
      const ids: number[] = []
      for (let next = from; ; next = ids.at(-1)! + 1) {
        const page = file.page(gallery, next, FACES_PER_BATCH)
        if (page.length === 0) break
        for (const { id } of page) ids.push(id)
      }
      yield { gallery: gallery.name, ids }
    }
  } finally {
    file.close()
  }
}

/** Skips galleries without an owner: store operators added their vectors, which have no faces. */
async function insertFacelessIntents(database: Database, storeGallery: string, ids: readonly number[]) {
  const [, owner, gallery] = GALLERY_OF_OWNER.exec(storeGallery) ?? []
  if (owner === undefined || gallery === undefined) return
  for await (const [some, known] of lookUpFaces(database, ids)) {
    const faceless: FaceKeys[] = some
      .filter(id => known.get(id)?.owner !== owner)
      .map(id => ({ id, owner, galleries: [gallery] }))
    if (faceless.length > 0) await insertIntents(database, newWork(), faceless)
  }
}

async function removePictures(database: Database, copy: string, from: number) {
  const files = new Map<string, number>()
  const pictures = join(copy, 'pictures')
  for await (const file of filesAtDepth(pictures, 2)) {
    const id = Number.parseInt(basename(file), 10)
    if (id >= from) files.set(file, id)
  }
  const known = new Set<number>()
  for await (const [, found] of lookUpFaces(database, [...new Set(files.values())])) {
    for (const id of found.keys()) known.add(id)
  }
  for (const [file, id] of files) if (!known.has(id)) await rm(join(pictures, file), { force: true })
}

/** Yields batches of ids and the existing faces among them. */
async function* lookUpFaces(
  database: Database,
  ids: readonly number[],
): AsyncIterable<[number[], Map<number, FaceKeys>]> {
  for (let at = 0; at < ids.length; at += FACES_PER_BATCH) {
    const some = ids.slice(at, at + FACES_PER_BATCH)
    const faces = await faceKeysOf(database, some)
    yield [some, new Map(faces.map(face => [face.id, face]))]
  }
}

export async function forgetIndexes(copy: string, dataKey?: DataKey): Promise<void> {
  for (const shard of await servedShards(join(copy, 'vectors'))) {
    const file = openRowFile(join(copy, 'vectors', shard, ROWS), rowForm(dataKey))
    try {
      const indexes = file.indexes()
      file.transaction(writer => {
        for (const { gallery } of indexes) writer.setIndex(unbuiltIndex(gallery))
      })
    } finally {
      file.close()
    }
  }
}
