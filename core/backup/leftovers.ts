/** Removes the copies of personal data that killed commands left in a data folder: deletions do not reach them. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { METADATA_FILE } from '../metadata/database.ts'
import { DRAFT } from '../metadata/move.ts'
import { removeMovedPictures } from '../pictures/move.ts'
import { lockFolder, VectorFileLocked } from '../vector-store/folder-lock.ts'

/** Name of the drill's folder in a data folder. */
export const DRILL_FOLDER = 'drill'

/** The caller holds the data folder's lock. The commands begin anew when they are repeated. */
export async function removeLeftovers(data: string): Promise<void> {
  await removeDrill(join(data, DRILL_FOLDER))
  // A draft without a file belongs to a move that may be complete.
  const draft = join(data, DRAFT)
  if (existsSync(join(draft, METADATA_FILE))) await rm(draft, { recursive: true })
  await removeMovedPictures(data)
}

/** Removes the folder of a drill that has ended. False while the drill runs. */
export async function removeDrill(folder: string): Promise<boolean> {
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
