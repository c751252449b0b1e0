/** Restores a backup to a data folder, and verifies all checksums. */
import { copyFile, mkdir, opendir, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathBelow } from '../../contract/stored-path.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { syncFolder } from '../files/durable.ts'
import { ignoreCode } from '../files/inspect.ts'
import { restrictMode } from '../files/private.ts'
import { endSignIns } from '../metadata/access/users.ts'
import { closeAsOneFile, openDatabase } from '../metadata/database.ts'
import { BackupRefused, type Contents, readContents, requireIntact, syncAll } from './contents.ts'
import { inRestoreFolder } from './leftovers.ts'
import { type NewKey, rekeyFolder } from './rekey.ts'
import { type Replayed, replayDeletions } from './replay.ts'

/** Settings of a restore. */
interface RestoreSettings extends NewKey {
  /** The backup's folder. */
  source: string
  /** The new data folder: missing or empty. It is written in `<data>.restoring` until it is complete. */
  data: string
  /** Audit log whose deletions after the backup are replayed. Default: none. */
  deletions?: string
  /** Data key of an encrypted backup. */
  dataKey?: DataKey
  /** Receives each step before it starts. */
  onStep?: (step: RestoreStep) => void
  /** Ends the restore between two files. */
  signal?: AbortSignal
}

type RestoreStep = 'checksums' | 'copy' | 'deletions' | 'rename' | 'done'

/** Result of a restore. */
export interface Restored extends Contents {
  /** Deletions that were replayed. */
  replayed?: Replayed
}

/**
 * Resolves when the data folder is complete and durable. Throws BackupRefused for an incomplete backup, or a
 * data folder that is not empty; AuditLogRefused for an unusable log of deletions. The data folder is unchanged after an error.
 * An interrupted restore starts again from the beginning.
 */
export async function restore(settings: RestoreSettings): Promise<Restored> {
  const { source, data, onStep } = settings
  const contents = await readContents(source)
  await refuseNonEmpty(data)
  onStep?.('checksums')
  await requireIntact(source, contents)
  onStep?.('copy')
  const done = await inRestoreFolder(data, (draft, scratch) => restoreTo(settings, contents, draft, scratch))
  return done ?? refuseSecond(data)
}

async function restoreTo(
  { source, data, deletions, dataKey, onStep, signal, ...newKey }: RestoreSettings,
  contents: Contents,
  draft: string,
  scratch: string,
): Promise<Restored> {
  await copyFiles(source, draft, contents, signal)
  await requireIntact(draft, contents)
  await makePrivate(draft)
  let replayed: Replayed | undefined
  if (deletions !== undefined) {
    onStep?.('deletions')
    replayed = await replayDeletions(draft, { path: deletions, dataKey, scratch }, dataKey)
  }
  await endSignInsIn(draft, dataKey)
  await syncAll(draft, contents.files)
  await rekeyFolder(draft, dataKey, { ...newKey, signal })
  signal?.throwIfAborted()
  onStep?.('rename')
  // A rename replaces an empty folder.
  await rename(draft, data)
  await syncFolder(dirname(data))
  onStep?.('done')
  return { ...contents, replayed }
}

/** Copies the listed files, and nothing else: `source` may change after its check. */
async function copyFiles(
  source: string,
  draft: string,
  { files }: Contents,
  signal: AbortSignal | undefined,
) {
  await mkdir(draft, { recursive: true, mode: 0o700 })
  for (const { path } of files) {
    signal?.throwIfAborted()
    const target = pathBelow(draft, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyFile(pathBelow(source, path), target)
  }
}

/** Restricts file modes. Copies have the modes of the backup, and its disk may not support modes. */
export async function makePrivate(folder: string): Promise<void> {
  const done = { changed: 0, refused: [] }
  await restrictMode(folder, done)
  for await (const entry of await opendir(folder, { recursive: true }))
    await restrictMode(join(entry.parentPath, entry.name), done)
}

/** Ends what may have been used, replaced or narrowed since the backup: sign-in links, invitations and sessions with a role of a provider. */
export async function endSignInsIn(folder: string, dataKey: DataKey | undefined): Promise<void> {
  const database = await openDatabase(folder, { dataKey })
  await endSignIns(database).finally(() => closeAsOneFile(database))
}

export function refuseSecond(data: string): never {
  throw new BackupRefused(`Another restore to ${data} runs. Wait for its end, or restore to another folder.`)
}

/** Throws BackupRefused for a data folder that is not empty. */
export async function refuseNonEmpty(data: string): Promise<void> {
  const entries = await readdir(data).catch(ignoreCode('ENOENT'))
  if (entries && entries.length > 0)
    throw new BackupRefused(`${data} is not empty. Restore into a new folder, or move this one away.`)
}
