/** Keeps the files of a data folder readable by their owner alone, whatever the mode of the folder itself. */
import type { Dirent } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCode } from './expected-errors.ts'

/** Bits of a mode that are for the group and for everybody. */
const OTHERS = 0o077

/** From now on, files that this process and its threads make are for their owner alone, the journals of SQLite too. */
export function makePrivateFiles(): void {
  process.umask(OTHERS)
}

/**
 * What a data folder holds that is ours, and how deep it is looked into. Below `pictures`, whose own mode keeps others out,
 * there may be millions of files. `facenapi.ini` belongs to the operator.
 */
const OWN: Readonly<Record<string, number>> = {
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
  token: 0,
  reserve: 0,
  log: 1,
  vectors: 3,
  pictures: 0,
  packs: 2,
}

export interface RestrictedPaths {
  /** Files and folders that others could read, and cannot any more. */
  changed: number
  /** Those whose mode could not be changed: they belong to somebody else. */
  refused: string[]
}

/**
 * Takes the rights of others away from what is ours in a data folder. The folder itself stays as it is: it may be a mount
 * point, or one that the operator shares with a group on purpose.
 */
export async function restrictModes(data: string): Promise<RestrictedPaths> {
  const done: RestrictedPaths = { changed: 0, refused: [] }
  for (const entry of (await readdir(data, { withFileTypes: true }).catch(ignoreCode('ENOENT'))) ?? [])
    await tightenEntry(data, entry, OWN[entry.name] ?? -1, done)
  return done
}

/** `depth` is how many levels below it are ours too; -1 where it is none of ours. */
async function tightenEntry(
  folder: string,
  entry: Dirent,
  depth: number,
  done: RestrictedPaths,
): Promise<void> {
  // A link may lead out of the folder.
  if (depth < 0 || !(entry.isFile() || entry.isDirectory())) return
  const path = join(folder, entry.name)
  await restrictMode(path, done)
  if (!entry.isDirectory() || depth === 0) return
  for (const inner of (await readdir(path, { withFileTypes: true }).catch(ignoreCode('ENOENT'))) ?? [])
    await tightenEntry(path, inner, depth - 1, done)
}

/** Removes the rights of the group and of everybody from one file or folder. A file that is gone is left out. */
export async function restrictMode(path: string, done: RestrictedPaths): Promise<void> {
  const mode = (await lstat(path).catch(ignoreCode('ENOENT')))?.mode
  if (mode === undefined || (mode & OTHERS) === 0) return
  try {
    await chmod(path, mode & 0o7700)
    done.changed++
  } catch {
    done.refused.push(path)
  }
}
