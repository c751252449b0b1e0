/** Restricts the files of a data folder to their owner, whatever the mode of the folder itself. */
import type { Dirent } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCode } from './inspect.ts'

/** Mode bits of the group and of others. */
const GROUP_AND_OTHERS = 0o077

/** Sets the umask: new files of this process and its threads are private, including journals of SQLite. */
export function makePrivateFiles(): void {
  process.umask(GROUP_AND_OTHERS)
}

/**
 * Files and folders of the service in a data folder, and the depth of the traversal. `pictures` has depth 0: it can contain
 * millions of files, and its own mode excludes others. `facenapi.ini` belongs to the operator.
 */
const SERVICE_FILES: Readonly<Record<string, number>> = {
  'metadata.db': 0,
  'metadata.db-wal': 0,
  'metadata.db-shm': 0,
  'metadata.db-journal': 0,
  'installation.json': 0,
  'database.json': 0,
  'encryption.json': 0,
  'pictures.json': 0,
  'pack.json': 0,
  'site-calibration.json': 0,
  'secrets.json': 0,
  'ready.json': 0,
  'sign-in-link': 0,
  token: 0,
  'watcher-token': 0,
  reserve: 0,
  drill: 0,
  log: 1,
  vectors: 3,
  pictures: 0,
  packs: 2,
}

/** Result of `restrictModes`. */
interface RestrictedPaths {
  /** Number of files and folders that are private now. */
  changed: number
  /** Paths whose mode could not be changed because they belong to another user. */
  refused: string[]
}

/**
 * Removes the rights of group and others from the files of the service. The data folder itself is not changed: it may be a
 * mount point, or shared with a group on purpose.
 */
export async function restrictModes(data: string): Promise<RestrictedPaths> {
  const done: RestrictedPaths = { changed: 0, refused: [] }
  for await (const path of servicePaths(data)) await restrictMode(path, done)
  return done
}

/** Paths of the service's files and folders that group or others may use. Changes nothing. */
export async function openPaths(data: string): Promise<string[]> {
  const open: string[] = []
  for await (const path of servicePaths(data))
    if (((await modeOf(path)) ?? 0) & GROUP_AND_OTHERS) open.push(path)
  return open
}

/** Paths of the service in a data folder. A folder comes before its content. */
async function* servicePaths(data: string): AsyncGenerator<string> {
  for (const entry of await entriesOf(data)) yield* pathsBelow(data, entry, SERVICE_FILES[entry.name] ?? -1)
}

/** `depth` is the number of levels below the entry that belong to the service; -1 for a foreign entry. */
async function* pathsBelow(folder: string, entry: Dirent, depth: number): AsyncGenerator<string> {
  // A symbolic link can point outside of the folder.
  if (depth < 0 || !(entry.isFile() || entry.isDirectory())) return
  const path = join(folder, entry.name)
  yield path
  if (!entry.isDirectory() || depth === 0) return
  for (const inner of await entriesOf(path)) yield* pathsBelow(path, inner, depth - 1)
}

const entriesOf = async (folder: string) =>
  (await readdir(folder, { withFileTypes: true }).catch(ignoreCode('ENOENT'))) ?? []

const modeOf = async (path: string) => (await lstat(path).catch(ignoreCode('ENOENT')))?.mode

/** Removes the rights of group and others from one file or folder. Skips a missing file, and a link: its target is elsewhere. */
export async function restrictMode(path: string, done: RestrictedPaths): Promise<void> {
  const found = await lstat(path).catch(ignoreCode('ENOENT'))
  if (!found || found.isSymbolicLink() || (found.mode & GROUP_AND_OTHERS) === 0) return
  try {
    await chmod(path, found.mode & 0o7700)
    done.changed++
  } catch {
    done.refused.push(path)
  }
}
