/** Removes the copies of personal data that killed commands left in and beside a data folder: deletions do not reach them. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { METADATA_FILE } from '../metadata/database.ts'
import { DRAFT } from '../metadata/move.ts'
import { removeMovedPictures } from '../pictures/move.ts'
import { LOCK_FILE, lockFolder, VectorFileLocked } from '../vector-store/folder-lock.ts'

/** Name of the drill's folder in a data folder. */
export const DRILL_FOLDER = 'drill'

const RESTORE_SUFFIX = '.restoring'

/**
 * Runs `write` with two paths in `<data>.restoring`: the new data folder, and a folder for temporary files. Removes the remains of
 * `<data>.restoring` at the end. Undefined while another restore to `data` runs.
 */
export async function inRestoreFolder<Result>(
  data: string,
  write: (draft: string, scratch: string) => Promise<Result>,
): Promise<Result | undefined> {
  const folder = `${data}${RESTORE_SUFFIX}`
  await removeRestores(data)
  if (!(await removeUnlocked(folder))) return undefined
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  try {
    return await write(join(folder, 'data'), join(folder, 'scratch'))
  } finally {
    lock.release()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes the folders of killed restores to this data folder and to its neighbours. */
async function removeRestores(data: string) {
  const parent = dirname(data)
  const entries = await readdir(parent).catch(() => [])
  // A folder without a lock is none of a restore.
  for (const name of entries.filter(name => name.endsWith(RESTORE_SUFFIX)))
    if (existsSync(join(parent, name, LOCK_FILE))) await removeUnlocked(join(parent, name))
}

/** The caller holds the data folder's lock. A repeated command begins again. */
export async function removeLeftovers(data: string): Promise<void> {
  await removeUnlocked(join(data, DRILL_FOLDER))
  await removeRestores(data)
  // A draft without a file belongs to a move that may be complete.
  const draft = join(data, DRAFT)
  if (existsSync(join(draft, METADATA_FILE))) await rm(draft, { recursive: true })
  await removeMovedPictures(data)
}

/** Removes the folder of a drill or restore that has ended. False while it runs. */
export async function removeUnlocked(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return true
  try {
    lockFolder(folder).release()
  } catch (error) {
    if (error instanceof VectorFileLocked) return false
    throw error
  }
  await rm(folder, { recursive: true, force: true })
  return true
}
