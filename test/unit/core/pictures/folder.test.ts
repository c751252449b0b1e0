/** Pictures in a folder: there, right and gone when they should be, and nothing half-written. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { folderObjects, prepareFolder, WRITING } from '../../../../core/pictures/folder.ts'
import { picturesIn } from '../../../../core/pictures/pictures.ts'
import { temporaryFolder } from '../folder.ts'
import { face, keepsPictures, listed } from './picture-store.suite.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

const opened = async () => {
  await prepareFolder(folder)
  return folderObjects(folder)
}

keepsPictures('a folder', opened)

it('a folder keeps nothing half-written', async () => {
  const pictures = picturesIn(await opened())
  await pictures.write([face(1)])
  expect(await readdir(join(folder, WRITING))).toEqual([])
})

it('a folder clears away what a process that died was writing, and lists none of it', async () => {
  await mkdir(join(folder, WRITING), { recursive: true })
  await writeFile(join(folder, WRITING, '1.thumbnail.jpg'), 'half a pict')
  const pictures = picturesIn(await opened())
  expect(await readdir(join(folder, WRITING))).toEqual([])
  expect(await listed(pictures)).toEqual([])
})
