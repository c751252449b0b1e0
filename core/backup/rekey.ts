/** Gives a restored folder another data key, and a data folder another operator key. */
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { removeSite } from '../configuration/removed-features.ts'
import { type DataKey, databaseKey } from '../encryption/encrypt.ts'
import {
  EncryptionRefused,
  newDataKey,
  type OperatorKey,
  readKeyFile,
  removeKeyFile,
  unwrapDataKey,
  writeKeyFile,
} from '../encryption/key-file.ts'
import { replaceAndWipe, syncFile } from '../files/durable.ts'
import { snapshotWithKey } from '../files/sqlite.ts'
import { METADATA_FILE } from '../metadata/database.ts'
import { convertPictures } from '../pictures/folder.ts'
import { lockFolder } from '../vector-store/folder-lock.ts'
import { convertStore } from '../vector-store/rewrite-store.ts'

export interface NewKey {
  /** Operator key of the restored folder; null: it is not encrypted. Absent: the folder is as its backup. */
  nextKey?: OperatorKey | null
  /** Receives a description of each damaged vector or picture, which cannot be read for the new key. */
  onLost?: (what: string) => void
  /** Ends the restore. */
  signal?: AbortSignal
}

/**
 * Rewrites all files of a folder with a new data key, or without encryption, and wipes the old files. `from` is the present data
 * key. No process may have opened the folder. An interruption leaves it unusable.
 */
export async function rekeyFolder(
  folder: string,
  from: DataKey | undefined,
  { nextKey, onLost = () => {}, signal }: NewKey,
): Promise<void> {
  if (nextKey === undefined) return
  const to = nextKey ? newDataKey() : undefined
  await rekeyMetadata(join(folder, METADATA_FILE), from, to)
  await convertStore(join(folder, 'vectors'), { from, to, onLost, signal })
  await convertPictures(join(folder, 'pictures'), { from, to, onLost, signal })
  // A start would remove it.
  await removeSite(folder, () => {})
  if (nextKey && to) await writeKeyFile(folder, nextKey, to)
  else await removeKeyFile(folder)
}

async function rekeyMetadata(path: string, from: DataKey | undefined, to: DataKey | undefined) {
  const draft = `${path}.new`
  await replaceAndWipe(path, async () => {
    snapshotWithKey(path, draft, from && databaseKey(from), to && databaseKey(to))
    await syncFile(draft)
    await rename(draft, path)
  })
}

/**
 * Wraps the data key of a folder with another operator key. The encrypted files do not change. Throws EncryptionRefused, and
 * VectorFileLocked while the service runs.
 */
export async function changeOperatorKey(
  data: string,
  operator: OperatorKey,
  next: OperatorKey,
): Promise<void> {
  const vectors = join(data, 'vectors')
  const lock = existsSync(vectors) ? lockFolder(vectors) : undefined
  try {
    const file = await readKeyFile(data)
    if (!file) throw new EncryptionRefused(`${data} is not encrypted.`)
    await writeKeyFile(data, next, unwrapDataKey(data, file, operator))
  } finally {
    lock?.release()
  }
}
