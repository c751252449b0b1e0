/** Converts all pictures between data keys, or to or from plaintext; converted pictures are skipped. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { convertFile } from '../encryption/convert-file.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { syncFolder } from '../files/durable.ts'
import { folderObjects, prepareFolder, WRITING } from './folder.ts'
import { eachAtOnce } from './objects.ts'
import { type PictureFile, pathOf, pictureForm, picturesIn, placeOf } from './pictures.ts'

/** Concurrent conversions, which mostly wait for the disk. */
const AT_ONCE = 8

export interface PictureConversion {
  from: DataKey | undefined
  to: DataKey | undefined
  /** Called for each damaged picture, which stays unchanged. */
  onLost(what: string): void
  onPicture?: ((done: number) => void) | undefined
}

/**
 * Converts the pictures of a folder that no other process has open. After a crash, each picture is either unchanged or
 * converted.
 */
export async function convertPictures(root: string, conversion: PictureConversion): Promise<void> {
  if (!existsSync(root)) return
  const { from, to, onLost, onPicture } = conversion
  const forms = { from: pictureForm(from), to: pictureForm(to) }
  await prepareFolder(root)
  const writing = join(root, WRITING)
  const folders = new Set<string>()
  let done = 0
  const convert = async (file: PictureFile): Promise<void> => {
    const path = join(root, pathOf(file))
    if (!(await convertFile(path, placeOf(file), forms, writing))) onLost(`The picture ${path} is damaged.`)
    folders.add(dirname(path))
    onPicture?.(++done)
  }
  await eachAtOnce(AT_ONCE, picturesIn(folderObjects(root)).list(), convert)
  for (const folder of folders) await syncFolder(folder)
}
