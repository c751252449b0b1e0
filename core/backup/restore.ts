/** Restoring: a backup, checked to the last byte, becomes a data folder. */
import { cp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../files/durable.ts'
import { unless } from '../files/unless.ts'
import { BackupRefused, CONTENTS, type Contents, readContents, requireWhole, syncAll } from './contents.ts'

export interface RestoreSettings {
  /** The backup's folder. */
  source: string
  /** The data folder to be: not there yet, or empty. Until all is there, `<data>.restoring`. */
  data: string
  /** embedding/label.ts of this service. */
  embedder: string
  /** Is told what comes next. */
  onStep?: (step: RestoreStep) => void
}

export type RestoreStep = 'checksums' | 'copy' | 'rename' | 'done'

/**
 * Resolves when the data folder is whole and on disk. Throws BackupRefused, and leaves the data folder as it was, when
 * the backup is not whole, its faces are of another embedder, or the data folder holds something.
 */
export async function restore({ source, data, embedder, onStep }: RestoreSettings): Promise<Contents> {
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
  await syncAll(draft, contents.files)
  onStep?.('rename')
  // An empty folder gives way to a rename.
  await rename(draft, data)
  await syncFolder(dirname(data))
  onStep?.('done')
  return contents
}

async function refuseFull(data: string): Promise<void> {
  const entries = await readdir(data).catch(unless('ENOENT'))
  if (entries && entries.length > 0)
    throw new BackupRefused(`${data} is not empty. Restore into a new folder, or move this one away.`)
}
