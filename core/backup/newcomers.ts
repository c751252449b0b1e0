/** A copy that was made while the service ran: vectors and pictures of faces that its metadata does not have yet. */
import { randomUUID } from 'node:crypto'
import { glob, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { GALLERY_OF_OWNER } from '../contract/model/gallery.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { closeAsOneFile, type Database, openDatabase } from '../metadata/database.ts'
import { type FaceKeys, faceKeysOf } from '../metadata/queries/faces.ts'
import { insertIntents } from '../metadata/queries/intents.ts'
import { servedShards } from '../vector-store/generation.ts'
import { openRowFile } from '../vector-store/rows/row-file.ts'
import { type RowForm, rowForm } from '../vector-store/rows/row-form.ts'
import { ROWS } from '../vector-store/shard/shard-open.ts'

/** Faces that are looked up at once. */
const STRIDE = 1_000

/** Removes from the copy the pictures of such faces whose id is `from` or above, and notes their vectors for its first start. */
export async function leaveOutNewcomers(copy: string, from: number, dataKey?: DataKey): Promise<void> {
  const database = await openDatabase(copy, { dataKey })
  try {
    for (const shard of await servedShards(join(copy, 'vectors'))) {
      for (const { gallery, ids } of vectorIds(join(copy, 'vectors', shard, ROWS), from, rowForm(dataKey)))
        await noteStrays(database, gallery, ids)
    }
    await removePictures(database, copy, from)
  } finally {
    await closeAsOneFile(database)
  }
}

/** The ids of each gallery's vectors from `from` on, rising. */
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

/** What is in a gallery of no owner was put there by a store operator, and has no face. */
async function noteStrays(database: Database, storeGallery: string, ids: readonly number[]): Promise<void> {
  const [, owner, gallery] = GALLERY_OF_OWNER.exec(storeGallery) ?? []
  if (owner === undefined || gallery === undefined) return
  for await (const [some, known] of lookedUp(database, ids)) {
    const strays: FaceKeys[] = some
      .filter(id => known.get(id)?.owner !== owner)
      .map(id => ({ id, owner, galleries: [gallery] }))
    if (strays.length > 0) await insertIntents(database, { id: randomUUID(), since: Date.now() }, strays)
  }
}

async function removePictures(database: Database, copy: string, from: number): Promise<void> {
  const files = new Map<string, number>()
  for await (const file of glob('pictures/*/*/*', { cwd: copy })) {
    const id = Number.parseInt(basename(file), 10)
    if (id >= from) files.set(file, id)
  }
  const known = new Set<number>()
  for await (const [, found] of lookedUp(database, [...new Set(files.values())])) {
    for (const id of found.keys()) known.add(id)
  }
  for (const [file, id] of files) if (!known.has(id)) await rm(join(copy, file), { force: true })
}

/** The ids, some at a time, and the faces that exist among them. */
async function* lookedUp(
  database: Database,
  ids: readonly number[],
): AsyncIterable<[number[], Map<number, FaceKeys>]> {
  for (let at = 0; at < ids.length; at += STRIDE) {
    const some = ids.slice(at, at + STRIDE)
    const faces = await faceKeysOf(database, some)
    yield [some, new Map(faces.map(face => [face.id, face]))]
  }
}
