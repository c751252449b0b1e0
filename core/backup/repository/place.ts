/** Opens the place of a repository: a folder, or a bucket with retries that outlast minutes of failures. */
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '../../files/disk-space.ts'
import { ignoreCode } from '../../files/inspect.ts'
import { type BucketKeys, bucketAddress } from '../../pictures/bucket/address.ts'
import type { AskBounds, BucketError } from '../../pictures/bucket/client.ts'
import { folderObjects, WRITING_FOLDER } from '../../pictures/folder.ts'
import { type Objects, PicturesUnavailable } from '../../pictures/objects.ts'
import { BackupRefused, CONTENTS } from '../contents.ts'

/** Bounds of requests to a bucket. Ten attempts take up to 50 s of pauses; an attempt may carry 16 MB over a slow line. */
const BUCKET_BOUNDS: AskBounds = { attemptMs: 60_000, attempts: 10, atOnce: 16, waitMs: 600_000 }

/** Pieces that are written or read at once. */
export const CONCURRENT_PIECES = 8

export interface Place extends Objects {
  /** Address or path, for messages. */
  readonly name: string
}

/** Whether the text is the address of a bucket. */
export const isBucket = (text: string): boolean => text.startsWith('s3://')

/** Opens a place. Throws BackupRefused for an invalid address or missing keys. */
export async function openPlace(text: string, keys: BucketKeys | undefined): Promise<Place> {
  if (!isBucket(text)) return explaining(text, folderObjects(text))
  const address = bucketAddress(text)
  if (!address)
    throw new BackupRefused(
      `${text} is no address of a bucket, such as s3://backups/site?endpoint=https://host`,
    )
  if (!keys)
    throw new BackupRefused(
      'The keys of the bucket are missing: MIEN_BACKUP_S3_ACCESS_KEY_ID and MIEN_BACKUP_S3_SECRET_ACCESS_KEY, or the keys of the pictures.',
    )
  const { openBucket } = await import('../../pictures/bucket/bucket.ts')
  return explaining(text.split('?')[0]!, openBucket(address, keys, { bounds: BUCKET_BOUNDS }))
}

/** Creates the folder of a place. Throws BackupRefused for a folder that holds something else. */
export async function makePlace(folder: string, mark: string): Promise<void> {
  await mkdir(join(folder, WRITING_FOLDER), { recursive: true, mode: 0o700 })
  const entries = (await readdir(folder)).filter(name => name !== WRITING_FOLDER)
  if (entries.includes(CONTENTS))
    throw new BackupRefused(
      `${folder} holds a whole backup of an earlier version. Name an empty folder, or a repository: the first backup holds everything.`,
    )
  const isNew = entries.length === 0
  if (!isNew && !(await stat(join(folder, mark)).catch(ignoreCode('ENOENT'))))
    throw new BackupRefused(`${folder} holds other files. Name an empty folder, or one with backups.`)
}

/** Gives errors of the place a message for the operator. */
function explaining(name: string, objects: Objects): Place {
  const explained = <Result>(work: Promise<Result>) =>
    work.catch(error => {
      if (error instanceof PicturesUnavailable)
        throw new BackupRefused(`${name} fails: ${(error.cause as BucketError).code}.`, { cause: error })
      if (isDiskFull(error)) throw new BackupRefused(`The disk of ${name} is full.`, { cause: error })
      throw error
    })
  return {
    name,
    isLocal: objects.isLocal,
    reach: () => explained(objects.reach()),
    write: written => explained(objects.write(written)),
    read: path => explained(objects.read(path)),
    has: path => explained(objects.has(path)),
    remove: paths => explained(objects.remove(paths)),
    removeBelow: folder => explained(objects.removeBelow(folder)),
    async *list() {
      const entries = objects.list()[Symbol.asyncIterator]()
      for (let next = await explained(entries.next()); !next.done; next = await explained(entries.next()))
        yield next.value
    },
    close: () => objects.close(),
  }
}
