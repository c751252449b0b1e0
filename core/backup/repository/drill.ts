/** A drill: restores the newest backup into a temporary folder, verifies it, and compares it with the live data. */

import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { leastIdSince } from '../../../contract/ids.ts'
import type { DataKey } from '../../encryption/encrypt.ts'
import type { OperatorKey } from '../../encryption/key-file.ts'
import { diskSpaceOf } from '../../files/disk-space.ts'
import { closeDatabase, type Database, openDatabase } from '../../metadata/database.ts'
import { type FaceKeys, faceKeysOf } from '../../metadata/faces/faces.ts'
import { picturesOf } from '../../pictures/open.ts'
import { facePicturesOf, type PictureStore } from '../../pictures/pictures.ts'
import { lockFolder } from '../../vector-store/folder-lock.ts'
import { servedShards } from '../../vector-store/generation.ts'
import { openVectorStore } from '../../vector-store/open.ts'
import { openRowsReadOnly, type RowReader } from '../../vector-store/rows/row-reader.ts'
import { rowForm, type StoredRow } from '../../vector-store/rows/row-record.ts'
import { ROWS } from '../../vector-store/shard/shard-open.ts'
import { SKEW_MS } from '../backed-up-files.ts'
import { allFaces } from '../complete-copy.ts'
import { BackupRefused } from '../contents.ts'
import { removeUnlocked } from '../leftovers.ts'
import { verifyAll } from '../verify.ts'
import type { BackupRecord } from './record.ts'
import { type Repository, readableUntil } from './repository.ts'
import { newestUntil, type RestoredFrom, type RestoreFromSettings, restoreFrom } from './restore.ts'

interface DrillSettings {
  repository: Repository
  /** The live data folder. Its audit log tells the deletions since the backup. */
  data: string
  dataKey: DataKey | undefined
  pictures: Pick<PictureStore, 'readStored'>
  /** See RestoreFromSettings. */
  at?: RestoreFromSettings['at']
  operatorKey: OperatorKey | undefined
  /** Folder on a disk with room for everything. It is created, and removed at the end. */
  folder: string
  /** Aborts the drill before its next step or piece. */
  signal?: AbortSignal
  onStep?: (step: Parameters<NonNullable<RestoreFromSettings['onStep']>>[0] | 'verify' | 'compare') => void
}

interface Drilled {
  record: BackupRecord
  compared: Comparison
  /** Faults of the restored folder, and differences; empty for a success. */
  faults: string[]
}

/**
 * Throws the errors of restoreFrom. Throws BackupRefused when the disk has too little room beside the live service, and during
 * another drill.
 */
export async function drill(given: DrillSettings): Promise<Drilled> {
  const settings = stoppable(given)
  const { data, dataKey, folder } = settings
  const restored = join(folder, 'data')
  if (!(await removeUnlocked(folder))) throw new BackupRefused(`Another drill runs in ${folder}.`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  try {
    await requireRoom(settings)
    const deletions = { path: data, dataKey }
    const done = await restoreFrom({ ...settings, data: restored, deletions })
    return await check(settings, restored, done)
  } finally {
    lock.release()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same drill with an end at the signal. */
const stoppable = ({ signal, repository, onStep, ...settings }: DrillSettings): DrillSettings => ({
  ...settings,
  repository: readableUntil(signal, repository),
  onStep(step) {
    signal?.throwIfAborted()
    onStep?.(step)
  },
})

async function check(settings: DrillSettings, restored: string, done: RestoredFrom): Promise<Drilled> {
  const { data, onStep } = settings
  const { dataKey, record } = done
  onStep?.('verify')
  const [mine, theirs] = [
    await openDatabase(restored, { dataKey }),
    await openDatabase(data, { dataKey: settings.dataKey }),
  ]
  const vectors = await openVectorStore(join(restored, 'vectors'), { dataKey })
  try {
    const pictures = await picturesOf(restored, { dataKey })
    const faults = await verifyAll(restored, { database: mine, vectors, pictures, dataKey })
    onStep?.('compare')
    const compared = await compareWithLive(
      { data: restored, database: mine, pictures, dataKey },
      { data, database: theirs, pictures: settings.pictures, dataKey: settings.dataKey },
      Date.parse(record.made),
    )
    return { record, compared, faults: [...faults, ...compared.faults] }
  } finally {
    await vectors.close()
    await closeDatabase(theirs)
    await closeDatabase(mine)
  }
}

/** A drill must not fill the disk of the live service. */
async function requireRoom({ repository, folder, at }: DrillSettings) {
  const newest = newestUntil((await repository.inventory()).backups, at)
  if (newest === undefined) return
  const { bytes } = await repository.readRecord(newest)
  const { free, needed } = await diskSpaceOf(folder)
  if (free - needed > bytes) return
  throw new BackupRefused(
    `A drill needs ${Math.ceil(bytes / 2 ** 20)} MB in ${folder}, and ${Math.max(0, Math.floor((free - needed) / 2 ** 20))} MB are free there. Name another folder with --in.`,
  )
}

/** Rows of one read. The drill compares the pictures of one face in `ONE_IN`. */
const ROWS_PER_READ = 1_000
const ONE_IN = 100

/** A data folder and its open parts. */
interface Compared {
  data: string
  database: Database
  pictures: Pick<PictureStore, 'readStored'>
  dataKey: DataKey | undefined
}

interface Comparison {
  /** Number of live faces. `faces`: live faces that the restored folder has, too. `vectors` and `pictures` were compared. */
  live: number
  faces: number
  vectors: number
  pictures: number
  /** Messages for the operator. */
  faults: string[]
}

/**
 * Compares both folders. A face that is older than the backup by more than an hour must be in both. Later faces may have
 * been enrolled after the backup. Deleted faces and replaced vectors are skipped. `made`: start of the backup, Unix milliseconds.
 */
async function compareWithLive(restored: Compared, live: Compared, made: number): Promise<Comparison> {
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
) {
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
    for (const picture of facePicturesOf({ owner, id })) {
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
function compareRows(mine: string, theirs: string, restored: Compared, live: Compared, done: Comparison) {
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
