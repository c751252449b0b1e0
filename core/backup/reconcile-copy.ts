/** Completes a backup made while the service ran: handles faces that were deleted or changed galleries meanwhile. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DataKey } from '../encryption/encrypt.ts'
import { closeAsOneFile, closeDatabase, type Database, openDatabase } from '../metadata/database.ts'
import { deleteFaces } from '../metadata/queries/deletions.ts'
import { type FaceKeys, faceKeysOf, nextFaceKeys } from '../metadata/queries/faces.ts'
import { insertIntents } from '../metadata/queries/intents.ts'
import { vectorKeys } from '../operations/consistency/vector-keys.ts'
import { openVectorStore } from '../vector-store/open.ts'

/** Faces of one batch. */
const STRIDE = 1_000

/**
 * Deletes faces from the metadata of the copy that the original no longer has: their vectors and pictures may be missing in
 * the copy. Faces that changed galleries get a vector in each gallery. Writes intents for stray vectors, which the first start
 * of the copy reconciles. Returns the number of faces.
 */
export async function reconcileCopy(copy: string, data: string, dataKey?: DataKey): Promise<number> {
  const then = await openDatabase(copy, { dataKey })
  const now = await openDatabase(data, { dataKey })
  let changed: Moved[] = []
  let count = 0
  try {
    for (let above = -1; ; ) {
      const faces = await nextFaceKeys(then, above, STRIDE)
      const last = faces.at(-1)
      if (!last) break
      above = last.id
      const live = await faceKeysOf(
        now,
        faces.map(({ id }) => id),
      )
      const { gone, moved } = compareFaces(faces, live)
      for (const { owner, id } of gone) await deleteFaces(then, workOf(), owner, { id })
      changed = changed.concat(moved)
      count += faces.length - gone.length
    }
    await insertChangedIntents(then, changed)
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

const workOf = () => ({ id: randomUUID(), since: Date.now() })

/** Writes intents with all galleries in which the faces may have a vector. */
async function insertChangedIntents(database: Database, faces: readonly Moved[]): Promise<void> {
  const everywhere = faces.map(face => ({
    ...face,
    galleries: [...new Set([...face.galleries, ...face.live])],
  }))
  if (faces.length > 0) await insertIntents(database, workOf(), everywhere)
}

/** Copies the vector of each face from `default` to its named galleries. */
async function completeVectors(
  copy: string,
  faces: readonly FaceKeys[],
  dataKey: DataKey | undefined,
): Promise<void> {
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
