/** `npm run store -- backup | restore`. */
import { backUp } from '../../core/backup/backup.ts'
import { restore as restoreBackup } from '../../core/backup/restore.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { findDataKey } from '../../core/sealing/folder-key.ts'
import { chosenPack } from '../../models/packs.ts'
import { givenKey } from '../data-key.ts'
import { pathOf } from '../paths.ts'
import { embedderIn } from './embedder.ts'
import { type StoreCommand, subjectOf } from './options.ts'

export const backup: StoreCommand = async options => {
  const target = pathOf(subjectOf(options, 'The folder to make'))
  const { faces, files } = await backUp({
    data: options.data,
    target,
    embedder: await embedderIn(options.data),
    dataKey: options.dataKey,
    now: Date.now(),
    onStep: step => console.error(step),
  })
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  console.log(`${faces} faces are in ${target}: ${files.length} files, ${(bytes / 2 ** 20).toFixed(1)} MB.`)
  return 0
}

export const restore: StoreCommand = async options => {
  const source = pathOf(subjectOf(options, 'The folder of the backup'))
  await findDataKey(source, await givenKey())
  const { faces, made } = await restoreBackup({
    source,
    data: options.data,
    embedder: embedderLabel(await chosenPack(source)),
    onStep: step => console.error(step),
  })
  console.log(`${faces} faces of ${made} are in ${options.data}.`)
  return 0
}
