/** `mien restore`: restores backups of a repository, and whole backups of 0.2. */

import { stat } from 'node:fs/promises'
import { counted } from '../../contract/counted.ts'
import { parseTimestamp } from '../../contract/timestamps.ts'
import { BackupRefused } from '../../core/backup/contents.ts'
import type { Replayed } from '../../core/backup/replay.ts'
import { isRepository, readableUntil } from '../../core/backup/repository/repository.ts'
import { type RestoreFromSettings, restoreFrom } from '../../core/backup/repository/restore.ts'
import { restore as restoreBackup } from '../../core/backup/restore.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { findDataKey } from '../../core/encryption/folder-key.ts'
import { ignoreCode } from '../../core/files/inspect.ts'
import { chosenPack } from '../../core/operations/upkeep/chosen-pack.ts'
import { embedderOf, openRepository, repositoryName } from '../backup/open.ts'
import { stopOnSignal, UsageError } from '../terminal/command-line.ts'
import { givenKey } from '../terminal/data-folder.ts'
import { pathOf } from '../terminal/paths.ts'
import type { StoreCommand } from './open.ts'

export const restore: StoreCommand = async options => {
  if (options.database)
    throw new BackupRefused(
      `The metadata is at ${options.database.url}. Leave MIEN_DATABASE_URL out to restore a backup, which has its metadata in a file.`,
    )
  if (await isRepository(repositoryName(options.subject))) return restoreFromRepository(options)
  if (options.at !== undefined) throw new UsageError('--at needs a backup repository, and this is none.')
  return restoreWhole({ ...options, deletions: options.deletions === NONE ? undefined : options.deletions })
}

/** Value of --deletions: deletions are not repeated. */
const NONE = 'none'

const restoreFromRepository: StoreCommand = async ({ subject, data, at, deletions }) => {
  const until = at === undefined ? undefined : parseTimestamp(at)
  if (at !== undefined && until === undefined)
    throw new UsageError(`--at takes a day or time in UTC such as 2026-11-20T08:00, not "${at}".`)
  const repository = await openRepository(subject)
  try {
    const { record, future, faces, replayed } = await restoreFrom({
      repository: readableUntil(stopOnSignal().signal, repository),
      data,
      at: until && until / 1000,
      embedderOf,
      operatorKey: await givenKey(),
      deletions: await logGiven(deletions),
      onStep: step => console.error(step),
    })
    console.log(`${counted(faces, 'face')} of ${record.made} ${faces === 1 ? 'is' : 'are'} in ${data}.`)
    if (future.length > 0)
      console.error(
        `The backup of ${future.at(-1)} is later than the clock. To restore it, name it with --at.`,
      )
    if (replayed) printReplayed(replayed)
    else console.log('Data deleted after that is back.')
    return 0
  } finally {
    repository.close()
  }
}

/** The log of deletions of a restore from a repository. A data folder has its own key. */
async function logGiven(deletions: string | undefined): Promise<RestoreFromSettings['deletions']> {
  if (deletions === undefined) return undefined
  if (deletions === NONE) return null
  const path = pathOf(deletions)
  const isFolder = (await stat(path).catch(ignoreCode('ENOENT')))?.isDirectory()
  return { path, dataKey: isFolder ? await findDataKey(path, await givenKey()) : undefined }
}

const restoreWhole: StoreCommand = async options => {
  const source = pathOf(options.subject)
  const { deletions } = options
  const { faces, made, replayed } = await restoreBackup({
    source,
    data: options.data,
    deletions: deletions === undefined ? undefined : pathOf(deletions),
    dataKey: await findDataKey(source, await givenKey()),
    embedder: embedderLabel(await chosenPack(source)),
    onStep: step => console.error(step),
    signal: stopOnSignal().signal,
  })
  console.log(`${counted(faces, 'face')} of ${made} ${faces === 1 ? 'is' : 'are'} in ${options.data}.`)
  if (replayed) printReplayed(replayed)
  else console.log('Data deleted after that is back: restore with --deletions to delete it again.')
  return 0
}

function printReplayed({ entries, unnamed, ...deleted }: Replayed): void {
  const { faces, persons, galleries, cameras, alerts, users, owners, tokens, moved } = deleted
  console.log(
    `Of ${counted(entries, 'entry', 'entries')} after the backup: ${counted(faces, 'face')}, ${counted(persons, 'person')}, ` +
      `${counted(galleries, 'gallery', 'galleries')}, ${counted(cameras, 'camera')}, ${counted(alerts, 'alert rule')}, ` +
      `${counted(users, 'user')} and ${counted(owners, 'owner')} are deleted, ${counted(tokens, 'token')} revoked, ` +
      `${counted(moved, 'face')} taken out of galleries.`,
  )
  if (unnamed > 0)
    console.error(
      `Deleted after the backup, and not named by the log: ${counted(unnamed, 'face')}. Delete again by meta.`,
    )
}
