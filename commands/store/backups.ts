/** `mien restore`: restores backups of a repository, and whole backups of 0.2. */

import { stat } from 'node:fs/promises'
import { countText } from '../../contract/counted.ts'
import { parseTimestamp } from '../../contract/timestamps.ts'
import { BackupRefused } from '../../core/backup/contents.ts'
import type { NewKey } from '../../core/backup/rekey.ts'
import type { Replayed } from '../../core/backup/replay.ts'
import { isRepository, readableUntil } from '../../core/backup/repository/repository.ts'
import { type RestoreFromSettings, restoreFrom } from '../../core/backup/repository/restore.ts'
import { restore as restoreBackup } from '../../core/backup/restore.ts'
import { NEW_OPERATOR_KEY } from '../../core/configuration/credentials.ts'
import { findDataKey } from '../../core/encryption/folder-key.ts'
import { ignoreCode } from '../../core/files/inspect.ts'
import { writeOperation } from '../../core/metadata/audit-log/entries.ts'
import { stopOnSignal, UsageError } from '../terminal/command-line.ts'
import { givenKey } from '../terminal/data-folder.ts'
import { pathOf } from '../terminal/paths.ts'
import type { StoreCommand, StoreOptions } from './open.ts'
import { openRepository, repositoryName } from './open-backup.ts'

export const restore: StoreCommand = async options => {
  if (options.database)
    throw new BackupRefused(
      `The metadata is at ${options.database.url}. Leave MIEN_DATABASE_URL out to restore a backup, which has its metadata in a file.`,
    )
  const next = await nextKeyGiven(options)
  if (await isRepository(repositoryName(options.subject))) await restoreFromRepository(options, next)
  else if (options.at !== undefined) throw new UsageError('--at needs a backup repository, and this is none.')
  else await restoreWhole(options, next)
  const key = next.nextKey === undefined ? await givenKey() : (next.nextKey ?? undefined)
  await writeOperation(
    options.data,
    { action: 'store.restore' },
    { dataKey: await findDataKey(options.data, key) },
  )
  return next.lost === 0 ? 0 : 1
}

/** The new key of a restored folder, and the number of parts that are lost for it. */
interface NextKey extends NewKey {
  lost: number
}

async function nextKeyGiven({ decrypt }: StoreOptions): Promise<NextKey> {
  const key = await givenKey(NEW_OPERATOR_KEY)
  if (key && decrypt) throw new UsageError('Give --decrypt or MIEN_ENCRYPTION_NEW_KEY, not both.')
  const next: NextKey = {
    nextKey: decrypt ? null : key,
    lost: 0,
    onLost(what) {
      next.lost++
      console.error(`Damaged before: ${what}`)
    },
  }
  return next
}

/** Value of --deletions: deletions are not repeated. */
const NO_DELETIONS = 'none'

async function restoreFromRepository(
  { subject, data, at, deletions }: StoreOptions,
  { nextKey, onLost }: NewKey,
) {
  const until = at === undefined ? undefined : parseTimestamp(at)
  if (at !== undefined && until === undefined)
    throw new UsageError(`--at takes a day or time in UTC such as 2026-11-20T08:00, not "${at}".`)
  const repository = await openRepository(subject)
  const { signal } = stopOnSignal()
  try {
    const { record, future, faces, replayed } = await restoreFrom({
      repository: readableUntil(signal, repository),
      data,
      at: until && until / 1000,
      operatorKey: await givenKey(),
      deletions: await logGiven(deletions),
      nextKey,
      onLost,
      signal,
      onStep: step => console.error(step),
    })
    console.log(`${countText(faces, 'face')} of ${record.made} ${faces === 1 ? 'is' : 'are'} in ${data}.`)
    if (future.length > 0)
      console.error(
        `The backup of ${future.at(-1)} is later than the clock. To restore it, name it with --at.`,
      )
    if (replayed) printReplayed(replayed)
    else console.log('Data deleted after that is back.')
  } finally {
    repository.close()
  }
}

/** The log of deletions of a restore from a repository. A data folder has its own key. */
async function logGiven(deletions: string | undefined): Promise<RestoreFromSettings['deletions']> {
  if (deletions === undefined) return undefined
  if (deletions === NO_DELETIONS) return null
  const path = pathOf(deletions)
  const isFolder = (await stat(path).catch(ignoreCode('ENOENT')))?.isDirectory()
  return { path, dataKey: isFolder ? await findDataKey(path, await givenKey()) : undefined }
}

async function restoreWhole(options: StoreOptions, { nextKey, onLost }: NewKey) {
  const source = pathOf(options.subject)
  const { deletions } = options
  const { faces, made, replayed } = await restoreBackup({
    source,
    data: options.data,
    deletions: deletions === undefined || deletions === NO_DELETIONS ? undefined : pathOf(deletions),
    dataKey: await findDataKey(source, await givenKey()),
    onStep: step => console.error(step),
    signal: stopOnSignal().signal,
    nextKey,
    onLost,
  })
  console.log(`${countText(faces, 'face')} of ${made} ${faces === 1 ? 'is' : 'are'} in ${options.data}.`)
  if (replayed) printReplayed(replayed)
  else console.log('Data deleted after that is back: restore with --deletions to delete it again.')
}

function printReplayed({ entries, ...deleted }: Replayed) {
  const { faces, persons, galleries, cameras, alerts, users, owners, tokens, moved } = deleted
  console.log(
    `Of ${countText(entries, 'entry', 'entries')} after the backup: ${countText(faces, 'face')}, ${countText(persons, 'person')}, ` +
      `${countText(galleries, 'gallery', 'galleries')}, ${countText(cameras, 'camera')}, ${countText(alerts, 'alert rule')}, ` +
      `${countText(users, 'user')} and ${countText(owners, 'owner')} are deleted, ${countText(tokens, 'token')} revoked, ` +
      `${countText(moved, 'face')} taken out of galleries.`,
  )
}
