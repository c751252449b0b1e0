/** Overwrites the bytes of a file that was replaced. */
import { type FileHandle, open } from 'node:fs/promises'
import { ignoreCode } from './expected-errors.ts'

/** Bytes of one write. */
const STRIDE = 2 ** 20

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

async function wipe(file: FileHandle): Promise<void> {
  const { size } = await file.stat()
  const zeros = new Uint8Array(Math.min(size, STRIDE))
  for (let at = 0; at < size; at += STRIDE) await file.write(zeros, 0, Math.min(STRIDE, size - at), at)
  await file.sync()
}
