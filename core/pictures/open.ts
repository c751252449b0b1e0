/** Opens the pictures of a data folder, in its own folder or in a bucket, and remembers which. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { DataKey } from '../encryption/encrypt.ts'
import { syncFolder, writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/inspect.ts'
import { readRecord, writeRecord } from '../files/record.ts'
import { type BucketAddress, type BucketKeys, bucketAddress, bucketUrl } from './bucket/address.ts'
import type { BucketSettings } from './bucket/bucket.ts'
import { folderObjects, prepareFolder } from './folder.ts'
import { PicturesRefused } from './objects.ts'
import { type PictureStore, picturesIn } from './pictures.ts'

/** Name of the folder of pictures in a data folder. */
export const PICTURES_FOLDER = 'pictures'

/** Name of the file in a data folder that records the address of its bucket. */
export const PLACE_FILE = 'pictures.json'

export interface PictureSettings {
  dataKey?: DataKey
  /** Address of a bucket, as the operator gives it. Absent: the recorded address of the data folder. */
  pictures?: string
  bucketKeys?: BucketKeys
  onBucket?: BucketSettings['news']
}

const PlaceSchema = z.strictObject({
  version: z.literal(1),
  address: z.string().refine(address => bucketAddress(address) !== undefined),
})

/**
 * The address of the bucket that a data folder remembers; undefined when its pictures are in its own folder. Throws
 * PicturesRefused when the record is damaged.
 */
export async function recordedBucket(data: string): Promise<string | undefined> {
  return (await readRecord(join(data, PLACE_FILE), PlaceSchema, PicturesRefused))?.address
}

/** Records the bucket of the pictures. Durable when it resolves. */
export const recordBucket = (data: string, address: string): Promise<void> =>
  writeRecord(join(data, PLACE_FILE), { version: 1, address })

/**
 * Opens the pictures for the process that owns the data folder: creates missing folders, records the bucket, and tests it. Throws
 * PicturesRefused.
 */
export async function openPictures(data: string, settings: PictureSettings = {}): Promise<PictureStore> {
  const place = await placeIn(data, settings)
  if (!place) {
    await prepareFolder(join(data, PICTURES_FOLDER))
    return inFolder(data, settings)
  }
  const bucket = await bucketAt(place.address, settings)
  try {
    await bucket.tryOut()
    await recordBucket(data, place.text)
  } catch (error) {
    bucket.close()
    throw error
  }
  return picturesIn(bucket, settings.dataKey)
}

/** URL of the bucket that holds the pictures; null for the folder. Throws PicturesRefused. */
export async function bucketOf(data: string, settings: PictureSettings): Promise<string | null> {
  const place = await placeIn(data, settings)
  return place ? bucketUrl(place.address) : null
}

/** Opens the pictures for reading beside the process that owns the data folder. Throws PicturesRefused. */
export async function picturesOf(data: string, settings: PictureSettings = {}): Promise<PictureStore> {
  const place = await placeIn(data, settings)
  return place
    ? picturesIn(await bucketAt(place.address, settings), settings.dataKey)
    : inFolder(data, settings)
}

const inFolder = (data: string, { dataKey }: PictureSettings) =>
  picturesIn(folderObjects(join(data, PICTURES_FOLDER)), dataKey)

/** The S3 signing library is loaded only when there is a bucket. */
export async function bucketAt(address: BucketAddress, { bucketKeys, onBucket }: PictureSettings) {
  if (!bucketKeys) {
    throw new PicturesRefused(
      `The pictures are in the bucket at ${bucketUrl(address)}: MIEN_S3_ACCESS_KEY_ID and ` +
        'MIEN_S3_SECRET_ACCESS_KEY are missing.',
    )
  }
  const { openBucket } = await import('./bucket/bucket.ts')
  return openBucket(address, bucketKeys, { news: onBucket })
}

interface Place {
  text: string
  address: BucketAddress
}

/**
 * The bucket to use; undefined for the folder. Throws PicturesRefused when the settings would abandon existing
 * pictures.
 */
async function placeIn(data: string, { pictures }: PictureSettings): Promise<Place | undefined> {
  const recorded = await recordedBucket(data)
  const text = pictures ?? recorded
  if (text === undefined) return undefined
  const address = bucketAddress(text)
  if (!address) throw new PicturesRefused('MIEN_PICTURES is no address of a bucket.')
  const previous = recorded === undefined ? undefined : bucketUrl(bucketAddress(recorded)!)
  if (previous !== undefined && previous !== bucketUrl(address)) {
    throw new PicturesRefused(
      `The pictures are in the bucket at ${previous}, and MIEN_PICTURES names the one at ${bucketUrl(address)}. ` +
        `Move them with MIEN_PICTURES as it was: mien store move pictures --to.`,
    )
  }
  if (previous === undefined && (await holdsPictures(data))) {
    throw new PicturesRefused(
      `${join(data, PICTURES_FOLDER)} holds pictures, and MIEN_PICTURES names a bucket. Move them into it: mien store move pictures --to.`,
    )
  }
  return { text, address }
}

/** Whether the pictures of this data folder are in its own folder. Throws PicturesRefused. */
export const isPicturesFolder = async (data: string): Promise<boolean> =>
  (await recordedBucket(data)) === undefined

/**
 * Path in the data folder of a file with the id of the installation (files/record.ts) that the pictures belong
 * to.
 */
export const PICTURES_MARK = `${PICTURES_FOLDER}/.installation`

/** Id of the installation in this mark; undefined when there is no mark. */
export const markedPictures = async (data: string): Promise<string | undefined> =>
  (await readFile(join(data, PICTURES_MARK), 'utf8').catch(ignoreCode('ENOENT')))?.trim()

/** Writes the mark. Durable when the promise resolves. */
export async function markPictures(data: string, installation: string): Promise<void> {
  if ((await markedPictures(data)) === installation) return
  const folder = join(data, PICTURES_FOLDER)
  await writeWhole(join(data, PICTURES_MARK), Buffer.from(`${installation}\n`), folder)
  await syncFolder(folder)
}

/** Whether the data folder's own folder holds any picture. */
export async function holdsPictures(data: string): Promise<boolean> {
  try {
    for await (const _ of inFolder(data, {}).list()) return true
    return false
  } catch (error) {
    return ignoreCode('ENOENT')(error) ?? false
  }
}
