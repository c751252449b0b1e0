/** Files and folders that are on the disk when the call resolves, and never half there. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreCode } from './expected-errors.ts'

/** Writes a file through `writing`, a folder of the same disk, so that no half of it is ever met at its path. */
export async function writeWhole(path: string, bytes: Uint8Array, writing: string): Promise<void> {
  const draft = join(writing, randomBytes(12).toString('hex'))
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * Writes a file in one step that only one process can take: where one is there already, that stays as it is.
 */
export async function writeOnce(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
    await link(draft, path).catch(ignoreCode('EEXIST'))
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(path))
}

/** Puts what was written to a file on the disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

/** Makes the folder and those above it, each durable in its own parent. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Makes renames and removals in this folder durable. Windows can't open folders, and keeps a journal of its own. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
