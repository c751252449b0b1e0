/** A drill: restores the newest backup into a temporary folder, verifies it, and compares it with the live data. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataKey } from '../../encryption/encrypt.ts'
import type { OperatorKey } from '../../encryption/key-file.ts'
import { diskSpaceOf } from '../../files/disk-space.ts'
import { closeDatabase, openDatabase } from '../../metadata/database.ts'
import { picturesOf } from '../../pictures/open.ts'
import type { PictureStore } from '../../pictures/pictures.ts'
import { lockFolder } from '../../vector-store/folder-lock.ts'
import { openVectorStore } from '../../vector-store/open.ts'
import { BackupRefused } from '../contents.ts'
import { removeUnlocked } from '../leftovers.ts'
import { verifyAll } from '../verify.ts'
import { type Comparison, compareWithLive } from './compare.ts'
import type { BackupRecord } from './record.ts'
import { type Repository, readableUntil } from './repository.ts'
import { newestUntil, type RestoredFrom, type RestoreFromSettings, restoreFrom } from './restore.ts'

interface DrillSettings {
  repository: Repository
  /** The live data folder. Its audit log tells what was deleted since the backup. */
  data: string
  dataKey: DataKey | undefined
  pictures: Pick<PictureStore, 'readStored'>
  /** See RestoreFromSettings. */
  at?: RestoreFromSettings['at']
  operatorKey: OperatorKey | undefined
  /** Folder on a disk with room for everything. It is created, and removed at the end. */
  folder: string
  /** Aborts the drill before its next step or piece. */
  signal?: AbortSignal | undefined
  onStep?:
    | ((step: Parameters<NonNullable<RestoreFromSettings['onStep']>>[0] | 'verify' | 'compare') => void)
    | undefined
}

interface Drilled {
  record: BackupRecord
  compared: Comparison
  /** Faults of the restored folder, and differences; empty for a success. */
  faults: string[]
}

/** Throws like restoreFrom, and BackupRefused when the disk has too little room beside the live service, and during another drill. */
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

/** The same drill, which ends at the signal. */
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
async function requireRoom({ repository, folder, at }: DrillSettings): Promise<void> {
  const newest = newestUntil((await repository.inventory()).backups, at)
  if (newest === undefined) return
  const { bytes } = await repository.readRecord(newest)
  const { free, needed } = await diskSpaceOf(folder)
  if (free - needed > bytes) return
  throw new BackupRefused(
    `A drill needs ${Math.ceil(bytes / 2 ** 20)} MB in ${folder}, and ${Math.max(0, Math.floor((free - needed) / 2 ** 20))} MB are free there. Name another folder with --in.`,
  )
}
