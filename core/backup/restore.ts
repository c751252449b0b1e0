/** Restoring: a backup, checked to the last byte, becomes a data folder. */
import { cp, opendir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DataKey } from '../encryption/encrypt.ts'
import { syncFolder } from '../files/durable.ts'
import { ignoreCode } from '../files/expected-errors.ts'
import { restrictMode } from '../files/private.ts'
import { BackupRefused, CONTENTS, type Contents, readContents, requireWhole, syncAll } from './contents.ts'
import { type Replayed, replayDeletions } from './replay.ts'

export interface RestoreSettings {
  /** The backup's folder. */
  source: string
  /** The data folder to be: not there yet, or empty. Until all is there, `<data>.restoring`. */
  data: string
  /** embedding/label.ts of this service. */
  embedder: string
  /** The log by which is deleted what was deleted after the backup; nothing is where it is absent. */
  deletions?: string | undefined
  /** Of the backup, where it is encrypted. */
  dataKey?: DataKey | undefined
  /** Is told what comes next. */
  onStep?: (step: RestoreStep) => void
}

export type RestoreStep = 'checksums' | 'copy' | 'deletions' | 'rename' | 'done'

export interface Restored extends Contents {
  /** What the log has deleted. */
  replayed?: Replayed
}

/**
 * Resolves when the data folder is whole and on disk. Throws BackupRefused, and leaves the data folder as it was, when
 * the backup is not whole, its faces are of another embedder, or the data folder holds something; AuditLogRefused when the log
 * of deletions can't be used. What was broken off is begun anew.
 */
export async function restore(settings: RestoreSettings): Promise<Restored> {
  const { source, data, embedder, deletions, dataKey, onStep } = settings
  const contents = await readContents(source)
  if (contents.embedder !== embedder) {
    throw new BackupRefused(
      `The backup's faces are of ${contents.embedder}, and this service makes those of ${embedder}.`,
    )
  }
  await refuseFull(data)
  onStep?.('checksums')
  await requireWhole(source, contents)
  onStep?.('copy')
  const draft = `${data}.restoring`
  await rm(draft, { recursive: true, force: true })
  await cp(source, draft, { recursive: true })
  await requireWhole(draft, contents)
  await rm(join(draft, CONTENTS))
  await makePrivate(draft)
  let replayed: Replayed | undefined
  if (deletions !== undefined) {
    onStep?.('deletions')
    const log = { path: deletions, dataKey, scratch: `${data}.log` }
    replayed = await replayDeletions(draft, log, dataKey)
  }
  await syncAll(draft, contents.files)
  onStep?.('rename')
  // An empty folder gives way to a rename.
  await rename(draft, data)
  await syncFolder(dirname(data))
  onStep?.('done')
  return { ...contents, ...(replayed && { replayed }) }
}

/** The copies have the modes of the backup, which may lie on a disk that keeps none. */
async function makePrivate(folder: string): Promise<void> {
  const done = { changed: 0, refused: [] }
  await restrictMode(folder, done)
  for await (const entry of await opendir(folder, { recursive: true }))
    await restrictMode(join(entry.parentPath, entry.name), done)
}

async function refuseFull(data: string): Promise<void> {
  const entries = await readdir(data).catch(ignoreCode('ENOENT'))
  if (entries && entries.length > 0)
    throw new BackupRefused(`${data} is not empty. Restore into a new folder, or move this one away.`)
}
