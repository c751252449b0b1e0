/** Looks at files: lists folders, hashes contents, tells whether an open file is still in place, ignores expected errors. */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, statSync } from 'node:fs'
import { opendir, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** Yields the paths, relative to `folder`, of the files that are `depth` subfolders deep. A missing folder has none. */
export async function* filesAtDepth(folder: string, depth: number): AsyncIterable<string> {
  for await (const file of filesBelow(folder)) if (file.split(sep).length === depth + 1) yield file
}

/** Yields the paths, relative to `folder`, of all files below it. Skips folders that are removed during the walk. */
export async function* filesBelow(folder: string): AsyncIterable<string> {
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(ignoreCode('ENOENT'))) ?? []) {
    if (entry.isFile()) yield entry.name
    if (entry.isDirectory())
      for await (const file of filesBelow(join(folder, entry.name))) yield join(entry.name, file)
  }
}

/**
 * Paths of all files below a folder, relative to it and separated by `/`. Throws `Refused` for a link, a pipe, a socket or a
 * device: reading it could leave the folder or never end.
 */
export async function regularFiles(
  folder: string,
  Refused: new (message: string) => Error,
): Promise<string[]> {
  const files: string[] = []
  for await (const entry of await opendir(folder, { recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files.push(relative(folder, path).split(sep).join('/'))
    else if (!entry.isDirectory())
      throw new Refused(`${path} is a link or a special file: expected files and folders only.`)
  }
  return files
}

/** Returns undefined for an error with this code, for example ENOENT. Rethrows other errors. */
export const ignoreCode =
  (code: string) =>
  (error: unknown): undefined => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined
    throw error
  }

/** Returns a check that is true while the same file is at this path. The file must exist at the call. */
export function isStillOpenFile(path: string): () => boolean {
  const opened = identityOf(path)
  return () => identityOf(path) === opened
}

/** Open files of databases, by path. */
const databases = new Map<string, { file: number; isStill: () => boolean }>()

/**
 * Descriptor for reading the file of a database. It stays open while the file is at this path: closing it would end the locks of all
 * connections of this process to the file (https://sqlite.org/howtocorrupt.html, 2.2). Another process could then remove the journal that
 * they use.
 */
export function databaseDescriptor(path: string): number {
  for (const [other, { file, isStill }] of databases) {
    if (isStill()) continue
    databases.delete(other)
    closeSync(file)
  }
  const known = databases.get(path) ?? { file: openSync(path, 'r'), isStill: isStillOpenFile(path) }
  databases.set(path, known)
  return known.file
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev}:${found.ino}`
}

/** SHA-256 of the content of a file, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
