/** Compares a restored data folder with the live one: faces, vectors, and some of the pictures. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { leastIdSince } from '../../../contract/ids.ts'
import type { DataKey } from '../../encryption/encrypt.ts'
import type { Database } from '../../metadata/database.ts'
import { type FaceKeys, faceKeysOf } from '../../metadata/faces/faces.ts'
import { bothOf, type PictureStore } from '../../pictures/pictures.ts'
import { servedShards } from '../../vector-store/generation.ts'
import { openRowsReadOnly, type RowReader } from '../../vector-store/rows/row-reader.ts'
import { rowForm, type StoredRow } from '../../vector-store/rows/row-record.ts'
import { ROWS } from '../../vector-store/shard/shard-open.ts'
import { SKEW_MS } from '../backed-up-files.ts'
import { allFaces } from '../complete-copy.ts'

/** Rows of one read, and the faces in one of which pictures are compared. */
const ROWS_PER_READ = 1_000
const ONE_IN = 100

/** A data folder and its open parts. */
interface Compared {
  data: string
  database: Database
  pictures: Pick<PictureStore, 'readStored'>
  dataKey: DataKey | undefined
}

export interface Comparison {
  /** Numbers of live faces, of those in the restored folder too, and of the vectors and pictures that were compared. */
  live: number
  faces: number
  vectors: number
  pictures: number
  /** Messages for the operator. */
  faults: string[]
}

/**
 * Compares what is in both folders. A face that is older than the backup by more than an hour must be in both; later ones may have
 * been enrolled after it. What was deleted since is skipped, and so is a vector that was replaced. `made`: start of the backup,
 * Unix milliseconds.
 */
export async function compareWithLive(restored: Compared, live: Compared, made: number): Promise<Comparison> {
  const done: Comparison = { live: 0, faces: 0, vectors: 0, pictures: 0, faults: [] }
  const recent = leastIdSince(made - SKEW_MS)
  for await (const faces of allFaces(live.database))
    await compareFaces(restored, live, { faces, recent }, done)
  for (const shard of await servedShards(join(restored.data, 'vectors'))) {
    const [mine, theirs] = [restored, live].map(({ data }) => join(data, 'vectors', shard, ROWS))
    // The live folder may have been converted to other shards since.
    if (existsSync(theirs!)) compareRows(mine!, theirs!, restored, live, done)
  }
  return done
}

async function compareFaces(
  restored: Compared,
  live: Compared,
  { faces, recent }: { faces: readonly (FaceKeys & { updates: number })[]; recent: number },
  done: Comparison,
): Promise<void> {
  const ids = faces.map(({ id }) => id)
  const there = new Map((await faceKeysOf(restored.database, ids)).map(({ id, updates }) => [id, updates]))
  done.live += faces.length
  done.faces += there.size
  const absent = ids.filter(id => id < recent && !there.has(id))
  const still = await faceKeysOf(live.database, absent)
  if (still.length > 0)
    done.faults.push(`${still.length} live faces are not in the restored folder, first ${still[0]!.id}.`)
  // Pictures that were replaced since the backup differ.
  const same = faces.filter(({ id, updates }) => there.get(id) === updates)
  for (const { owner, id } of same.filter((_, i) => i % ONE_IN === 0)) {
    for (const picture of bothOf({ owner, id })) {
      const [mine, theirs] = await Promise.all(
        [restored, live].map(each => each.pictures.readStored(picture)),
      )
      if (!theirs) continue
      done.pictures++
      if (!mine || !Buffer.from(mine).equals(theirs))
        done.faults.push(`The ${picture.kind} picture of face ${id} is not the live one.`)
    }
  }
}

/** Compares the rows that both files have under the same gallery, id and serial. */
function compareRows(
  mine: string,
  theirs: string,
  restored: Compared,
  live: Compared,
  done: Comparison,
): void {
  const files = [
    openRowsReadOnly(mine, rowForm(restored.dataKey)),
    openRowsReadOnly(theirs, rowForm(live.dataKey)),
  ] as const
  try {
    const others = new Map(files[1].galleries().whole.map(gallery => [gallery.name, gallery]))
    for (const gallery of files[0].galleries().whole) {
      const other = others.get(gallery.name)
      if (!other) continue
      const found = rowsOf(files[1], other)
      let next = found.next()
      let differing = 0
      for (const row of rowsOf(files[0], gallery)) {
        while (!next.done && next.value.id < row.id) next = found.next()
        if (next.done || next.value.id !== row.id || next.value.serial !== row.serial) continue
        done.vectors++
        if (next.value.crc !== row.crc) differing++
      }
      if (differing > 0) done.faults.push(`${differing} vectors of ${gallery.name} are not the live ones.`)
    }
  } finally {
    for (const file of files) file.close()
  }
}

/** Rows of a gallery by rising id. */
function* rowsOf(file: RowReader, gallery: Parameters<RowReader['page']>[0]): Generator<StoredRow> {
  for (let from = 0; ; ) {
    const page = file.page(gallery, from, ROWS_PER_READ)
    yield* page
    const last = page.at(-1)
    if (!last) return
    from = last.id + 1
  }
}
