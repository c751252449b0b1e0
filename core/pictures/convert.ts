/** Conversion of all pictures to another data key, to one at all, or to none. What is converted already is passed over. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { convertFile } from '../encryption/convert-file.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { syncFolder } from '../files/durable.ts'
import { folderObjects, prepareFolder, WRITING } from './folder.ts'
import { eachAtOnce } from './objects.ts'
import { type PictureFile, pathOf, pictureForm, picturesIn, placeOf } from './pictures.ts'

/** Pictures that are converted at once: each waits for the disk. */
const AT_ONCE = 8

export interface PictureConversion {
  from: DataKey | undefined
  to: DataKey | undefined
  /** Is told of what was damaged, and stays as it is. */
  onLost(what: string): void
  onPicture?: ((done: number) => void) | undefined
}

/** Nobody else has the folder open. A crash leaves each picture as it was, or converted. */
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
