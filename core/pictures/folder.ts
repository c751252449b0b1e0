/** Stores pictures in a folder, as files that are written durably and atomically, and converts them between data keys. */

import { existsSync } from 'node:fs'
import { access, readFile, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { pathBelow } from '../../contract/stored-path.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { convertFile } from '../encryption/file-form.ts'
import { makeFolder, syncFolder, writeWhole } from '../files/durable.ts'
import { filesBelow, ignoreCode } from '../files/inspect.ts'
import { eachAtOnce, type Objects } from './objects.ts'
import { type PictureFile, pathOf, pictureForm, picturesIn, placeOf } from './pictures.ts'

/** Folder for files that are being written, before their rename. */
export const WRITING_FOLDER = '.writing'

/** Concurrent writes or removals of one call, which mostly wait for the disk. */
const CONCURRENT_WRITES = 16

/** For `catch`: returns undefined for a missing file. */
const missing = ignoreCode('ENOENT')

/** Creates the folder when needed, and removes incomplete files of a process that crashed. One process at a time. */
export async function prepareFolder(root: string): Promise<void> {
  const writing = join(root, WRITING_FOLDER)
  await rm(writing, { recursive: true, force: true })
  await makeFolder(writing)
}

/** Objects of a folder that `prepareFolder` has prepared, perhaps in another process. */
export function folderObjects(root: string): Objects {
  const writing = join(root, WRITING_FOLDER)
  const at = (path: string) => pathBelow(root, path)
  const foldersOf = (paths: readonly string[]) => [...new Set(paths.map(path => dirname(at(path))))]

  return {
    isLocal: true,
    async reach() {},

    async write(objects) {
      const folders = foldersOf(objects.map(({ path }) => path))
      for (const folder of folders) await makeFolder(folder)
      await eachAtOnce(CONCURRENT_WRITES, objects, ({ path, bytes }) => writeWhole(at(path), bytes, writing))
      await Promise.all(folders.map(syncFolder))
    },

    read: async path => readFile(at(path)).catch(missing),

    has: async path => (await access(at(path)).then(() => true, missing)) ?? false,

    async remove(paths) {
      let removed = 0
      await eachAtOnce(CONCURRENT_WRITES, paths, path =>
        rm(at(path), { maxRetries: 3 }).then(() => removed++, missing),
      )
      await Promise.all(foldersOf(paths).map(folder => syncFolder(folder).catch(missing)))
      return removed
    },

    async removeBelow(folder) {
      await rm(at(folder), { recursive: true, force: true, maxRetries: 3 })
      await syncFolder(root)
    },

    async *list(folder = '') {
      for await (const path of filesBelow(join(root, folder))) yield join(folder, path).split(sep).join('/')
    },

    close() {},
  }
}

interface PictureConversion {
  from: DataKey | undefined
  to: DataKey | undefined
  /** Called for each damaged picture, which stays unchanged. */
  onLost(what: string): void
  /** Ends the conversion. */
  signal?: AbortSignal
}

/** Converts the pictures of a folder that no process has opened. */
export async function convertPictures(root: string, conversion: PictureConversion): Promise<void> {
  if (!existsSync(root)) return
  const { from, to, onLost, signal } = conversion
  const forms = { from: pictureForm(from), to: pictureForm(to) }
  await prepareFolder(root)
  const writing = join(root, WRITING_FOLDER)
  const folders = new Set<string>()
  const convert = async (file: PictureFile) => {
    signal?.throwIfAborted()
    const path = join(root, pathOf(file))
    if (!(await convertFile(path, placeOf(file), forms, writing)))
      onLost(`The picture ${pathOf(file)} is damaged.`)
    folders.add(dirname(path))
  }
  await eachAtOnce(CONCURRENT_WRITES, picturesIn(folderObjects(root)).list(), convert)
  for (const folder of folders) await syncFolder(folder)
}
