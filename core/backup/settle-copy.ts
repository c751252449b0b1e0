/** A copy that was made while the service ran: what went or moved meanwhile is made good in it. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DataKey } from '../encryption/encrypt.ts'
import { closeAsOneFile, closeDatabase, type Database, openDatabase } from '../metadata/database.ts'
import { deleteFaces } from '../metadata/queries/deletions.ts'
import { type FaceKeys, faceKeysOf, nextFaceKeys } from '../metadata/queries/faces.ts'
import { insertIntents } from '../metadata/queries/intents.ts'
import { vectorKeys } from '../operations/consistency/vector-keys.ts'
import { openVectorStore } from '../vector-store/open.ts'

/** Faces that are compared at once. */
const STRIDE = 1_000

/**
 * Leaves out of the copy's metadata the faces that the original has no more, since their vectors and pictures may have
 * gone before they were copied, and gives those that changed galleries a vector in each. Strays are noted for the
 * copy's first start. Resolves with the number of faces.
 */
export async function settleCopy(copy: string, data: string, dataKey?: DataKey): Promise<number> {
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
      const { gone, moved } = compared(faces, live)
      for (const { owner, id } of gone) await deleteFaces(then, workOf(), owner, { id })
      changed = changed.concat(moved)
      count += faces.length - gone.length
    }
    await noteChanged(then, changed)
  } finally {
    await closeDatabase(now)
    await closeAsOneFile(then)
  }
  if (changed.length > 0) await completeVectors(copy, changed, dataKey)
  return count
}

/** A face as it was copied, and the galleries that it is in now. */
type Moved = FaceKeys & { live: readonly string[] }

/** The faces that are no more, and those whose galleries are others now. */
function compared(then: readonly FaceKeys[], now: readonly FaceKeys[]) {
  const live = new Map(now.map(face => [face.id, face]))
  const gone = then.filter(({ id }) => !live.has(id))
  const moved = then.filter(({ id, galleries }) => {
    const other = live.get(id)?.galleries ?? galleries
    return other.join() !== galleries.join()
  })
  return { gone, moved: moved.map(face => ({ ...face, live: live.get(face.id)!.galleries })) }
}

const workOf = () => ({ id: randomUUID(), since: Date.now() })

/** Notes them with all the galleries that they may have a vector in. */
async function noteChanged(database: Database, faces: readonly Moved[]): Promise<void> {
  const everywhere = faces.map(face => ({
    ...face,
    galleries: [...new Set([...face.galleries, ...face.live])],
  }))
  if (faces.length > 0) await insertIntents(database, workOf(), everywhere)
}

/** Every face has its vector in `default`; the same belongs into each of its galleries. */
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
