/** Cleans a backup made while the service ran: vectors and pictures of faces that its metadata does not contain. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { GALLERY_OF_OWNER } from '../../contract/model/gallery.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { filesAtDepth } from '../files/files-at-depth.ts'
import { closeAsOneFile, type Database, openDatabase } from '../metadata/database.ts'
import { type FaceKeys, faceKeysOf } from '../metadata/queries/faces.ts'
import { insertIntents } from '../metadata/queries/intents.ts'
import { servedShards } from '../vector-store/generation.ts'
import { openRowFile } from '../vector-store/rows/row-file.ts'
import { type RowForm, rowForm } from '../vector-store/rows/row-form.ts'
import { ROWS } from '../vector-store/shard/shard-open.ts'

/** Faces of one lookup. */
const STRIDE = 1_000

/** For faces with an id of at least `from`: removes their pictures, and writes intents for their vectors for the first start. */
export async function removeUnknownFaces(copy: string, from: number, dataKey?: DataKey): Promise<void> {
  const database = await openDatabase(copy, { dataKey })
  try {
    for (const shard of await servedShards(join(copy, 'vectors'))) {
      for (const { gallery, ids } of vectorIds(join(copy, 'vectors', shard, ROWS), from, rowForm(dataKey)))
        await insertStrayIntents(database, gallery, ids)
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
        const page = file.page(gallery, next, STRIDE)
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
async function insertStrayIntents(
  database: Database,
  storeGallery: string,
  ids: readonly number[],
): Promise<void> {
  const [, owner, gallery] = GALLERY_OF_OWNER.exec(storeGallery) ?? []
  if (owner === undefined || gallery === undefined) return
  for await (const [some, known] of lookUpFaces(database, ids)) {
    const strays: FaceKeys[] = some
      .filter(id => known.get(id)?.owner !== owner)
      .map(id => ({ id, owner, galleries: [gallery] }))
    if (strays.length > 0) await insertIntents(database, { id: randomUUID(), since: Date.now() }, strays)
  }
}

async function removePictures(database: Database, copy: string, from: number): Promise<void> {
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
  for (let at = 0; at < ids.length; at += STRIDE) {
    const some = ids.slice(at, at + STRIDE)
    const faces = await faceKeysOf(database, some)
    yield [some, new Map(faces.map(face => [face.id, face]))]
  }
}
