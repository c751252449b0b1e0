/** Pictures in a folder: the shared suite, and no temporary files. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderObjects, prepareFolder, WRITING_FOLDER } from '#core/pictures/folder.ts'
import { picturesIn } from '#core/pictures/pictures.ts'
import { temporaryFolder } from '../folder.ts'
import { face, keepsPictures, namesIn } from './picture-store.suite.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

const opened = async () => {
  await prepareFolder(folder)
  return folderObjects(folder)
}

keepsPictures('a folder', opened)

it('folderObjects leaves no temporary file after a write', async () => {
  const pictures = picturesIn(await opened())
  await pictures.write([face(1)])
  expect(await readdir(join(folder, WRITING_FOLDER))).toEqual([])
})

it('prepareFolder removes temporary files of a killed process, and lists do not have them', async () => {
  await mkdir(join(folder, WRITING_FOLDER), { recursive: true })
  await writeFile(join(folder, WRITING_FOLDER, '1.thumbnail.jpg'), 'half a pict')
  const pictures = picturesIn(await opened())
  expect(await readdir(join(folder, WRITING_FOLDER))).toEqual([])
  expect(await namesIn(pictures)).toEqual([])
})
