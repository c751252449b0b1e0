/** `npm run store -- backup | restore`. */
import { backUp } from '../../core/backup/backup.ts'
import { BackupRefused } from '../../core/backup/contents.ts'
import { restore as restoreBackup } from '../../core/backup/restore.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { picturesOf } from '../../core/pictures/open.ts'
import { findDataKey } from '../../core/sealing/folder-key.ts'
import { chosenPack } from '../../models/packs.ts'
import { givenKey } from '../data-key.ts'
import { pathOf } from '../paths.ts'
import { picturesGiven } from '../pictures.ts'
import { embedderIn } from './embedder.ts'
import { type StoreCommand, type StoreOptions, subjectOf } from './options.ts'

/** A backup holds the metadata as a file, which a database elsewhere is not. */
function refuseElsewhere({ database }: StoreOptions, advice: string): void {
  if (database) throw new BackupRefused(`The metadata is at ${database.url}. ${advice}`)
}

export const backup: StoreCommand = async options => {
  refuseElsewhere(
    options,
    'Stop the service, copy the data folders, and back the database up by its own means: docs/operations.md, "Metadata in a database".',
  )
  const target = pathOf(subjectOf(options, 'The folder to make'))
  const { faces, files } = await backUp({
    data: options.data,
    target,
    embedder: await embedderIn(options.data),
    dataKey: options.dataKey,
    pictures: await picturesOf(options.data, await picturesGiven()),
    now: Date.now(),
    onStep: step => console.error(step),
  })
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  console.log(`${faces} faces are in ${target}: ${files.length} files, ${(bytes / 2 ** 20).toFixed(1)} MB.`)
  return 0
}

export const restore: StoreCommand = async options => {
  refuseElsewhere(
    options,
    'Leave MIEN_DATABASE_URL out to restore a backup, which has its metadata in a file.',
  )
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
