/** `mien store backup | restore`: creates and restores backups. */
import { backUp } from '../../core/backup/backup.ts'
import { BackupRefused } from '../../core/backup/contents.ts'
import type { Replayed } from '../../core/backup/replay.ts'
import { restore as restoreBackup } from '../../core/backup/restore.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { findDataKey } from '../../core/encryption/folder-key.ts'
import { chosenPack } from '../../core/operations/upkeep/chosen-pack.ts'
import { picturesOf } from '../../core/pictures/open.ts'
import { givenKey } from '../terminal/data-key.ts'
import { pathOf } from '../terminal/paths.ts'
import { picturesGiven } from '../terminal/pictures.ts'
import { embedderIn } from './embedder.ts'
import type { StoreCommand, StoreOptions } from './options.ts'

/** Throws BackupRefused when the metadata is in a database elsewhere: backups contain it as a file. */
function refuseElsewhere({ database }: StoreOptions, advice: string): void {
  if (database) throw new BackupRefused(`The metadata is at ${database.url}. ${advice}`)
}

export const backup: StoreCommand = async options => {
  refuseElsewhere(
    options,
    'Stop the service, copy the data folders, and back the database up by its own means: docs/operations.md, "Metadata in a database".',
  )
  const target = pathOf(options.subject)
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
  const source = pathOf(options.subject)
  const { deletions } = options
  const { faces, made, replayed } = await restoreBackup({
    source,
    data: options.data,
    deletions: deletions === undefined ? undefined : pathOf(deletions),
    dataKey: await findDataKey(source, await givenKey()),
    embedder: embedderLabel(await chosenPack(source)),
    onStep: step => console.error(step),
  })
  console.log(`${faces} faces of ${made} are in ${options.data}.`)
  if (replayed) printReplayed(replayed)
  else console.log('What was deleted after that is there again: restore with --deletions to delete it.')
  return 0
}

function printReplayed({ entries, unnamed, ...deleted }: Replayed): void {
  const { faces, persons, galleries, cameras, owners, tokens, moved } = deleted
  console.log(
    `Of ${entries} entries after the backup: ${faces} faces, ${persons} persons, ${galleries} galleries, ${cameras} cameras and ` +
      `${owners} owners are deleted, ${tokens} tokens revoked, ${moved} faces taken out of galleries.`,
  )
  if (unnamed > 0)
    console.error(
      `${unnamed} faces were deleted after the backup, and the log does not name them: delete them again by their meta.`,
    )
}
