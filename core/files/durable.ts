/** Writes files and folders durably and atomically, and overwrites replaced ones. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreCode } from './inspect.ts'

/** Writes a draft in the folder `writing`, which is on the same disk, and renames it to `path`. Replaces a file atomically. */
export async function writeWhole(path: string, bytes: Uint8Array, writing: string): Promise<void> {
  const draft = join(writing, randomBytes(12).toString('hex'))
  try {
    await writeNew(draft, bytes)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Creates a file atomically and durably. An existing file is kept: with concurrent processes, the first one wins. */
export async function writeOnce(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeNew(draft, bytes)
    await link(draft, path).catch(ignoreCode('EEXIST'))
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(path))
}

async function writeNew(path: string, bytes: Uint8Array) {
  const file = await open(path, 'wx', 0o600)
  await file
    .writeFile(bytes)
    .then(() => file.sync())
    .finally(() => file.close())
}

/** Makes the content of a file durable. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

/** Creates a folder and its missing parents, all durable. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** Makes renames and removals in a folder durable. Does nothing on Windows, which journals them and cannot open folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Writes all bytes at this offset. On a full disk, one `write` may store a part and succeed; the next one fails. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten
}

/** Bytes of one write. */
const BYTES_PER_WRITE = 2 ** 20

/**
 * Runs `replace`, which puts another file at `path`, then overwrites the old file with zeros. Copy-on-write file systems and
 * SSDs may keep the old bytes. A file with another hard link, for example in a backup, is not overwritten.
 */
export async function replaceAndWipe(path: string, replace: () => void | Promise<void>): Promise<void> {
  const old = await open(path, 'r+').catch(ignoreCode('ENOENT'))
  try {
    await replace()
    if (old && (await old.stat()).nlink === 0) await wipe(old)
  } finally {
    await old?.close()
  }
}

async function wipe(file: FileHandle) {
  const { size } = await file.stat()
  const zeros = new Uint8Array(Math.min(size, BYTES_PER_WRITE))
  for (let at = 0; at < size; at += BYTES_PER_WRITE) await writeAll(file, zeros.subarray(0, size - at), at)
  await file.sync()
}
