/** Conversion of all pictures to another data key, to one at all, or to none. What is converted already is passed over. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, syncFolder } from '../files/durable.ts'
import { convertFile } from '../sealing/convert-file.ts'
import type { DataKey } from '../sealing/seal.ts'
import { type PictureFile, pathOf, pictureForm, picturesBelow, placeOf, WRITING } from './files.ts'

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
  const writing = join(root, WRITING)
  await rm(writing, { recursive: true, force: true })
  await makeFolder(writing)
  const folders = new Set<string>()
  let done = 0
  const convert = async (file: PictureFile): Promise<void> => {
    const path = pathOf(root, file)
    if (!(await convertFile(path, placeOf(file), forms, writing))) onLost(`The picture ${path} is damaged.`)
    folders.add(dirname(path))
    onPicture?.(++done)
  }
  let under: Promise<void>[] = []
  for await (const file of picturesBelow(root).list()) {
    under.push(convert(file))
    if (under.length < AT_ONCE) continue
    await Promise.all(under)
    under = []
  }
  await Promise.all(under)
  for (const folder of folders) await syncFolder(folder)
}
