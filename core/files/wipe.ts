/** Overwriting what a file held before another one took its place. */
import { type FileHandle, open } from 'node:fs/promises'
import { ignoreCode } from './expected-errors.ts'

/** Bytes that are written at once. */
const STRIDE = 2 ** 20

/**
 * Runs what puts another file at this path, and overwrites the bytes of the one that was there. A disk or file system that
 * writes elsewhere than where it was told keeps them. What has another name, as in a backup of hard links, is left alone.
 */
export async function wipingOld(path: string, replace: () => void | Promise<void>): Promise<void> {
  const old = await open(path, 'r+').catch(ignoreCode('ENOENT'))
  try {
    await replace()
    if (old && (await old.stat()).nlink === 0) await wipe(old)
  } finally {
    await old?.close()
  }
}

async function wipe(file: FileHandle): Promise<void> {
  const { size } = await file.stat()
  const zeros = new Uint8Array(Math.min(size, STRIDE))
  for (let at = 0; at < size; at += STRIDE) await file.write(zeros, 0, Math.min(STRIDE, size - at), at)
  await file.sync()
}
