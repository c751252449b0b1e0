/** Where the pictures of a data folder are, which it remembers: in its own folder, or in a bucket. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { DataKey } from '../encryption/encrypt.ts'
import { syncFolder, writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/expected-errors.ts'
import { readRecord, writeRecord } from '../files/record.ts'
import { type BucketAddress, type BucketKeys, bucketAddress, keptAt } from './bucket/address.ts'
import type { BucketSettings } from './bucket/bucket.ts'
import { folderObjects, prepareFolder } from './folder.ts'
import { PicturesRefused } from './objects.ts'
import { type PictureStore, picturesIn } from './pictures.ts'

/** In a data folder: where its pictures are. */
const FOLDER = 'pictures'

/** In a data folder whose pictures are in a bucket: its address. */
export const PLACE_FILE = 'pictures.json'

export interface PictureSettings {
  dataKey?: DataKey | undefined
  /** The address of a bucket, as an operator gives it; as the data folder remembers when absent. */
  pictures?: string | undefined
  bucketKeys?: BucketKeys | undefined
  onBucket?: BucketSettings['news']
}

const PlaceSchema = z.strictObject({
  version: z.literal(1),
  address: z.string().refine(address => bucketAddress(address) !== undefined),
})

/** The bucket that a data folder remembers; undefined where pictures are in its own. Throws PicturesRefused when damaged. */
export async function recordedBucket(data: string): Promise<string | undefined> {
  return (await readRecord(join(data, PLACE_FILE), PlaceSchema, PicturesRefused))?.address
}

/**
 * Opens the pictures for the one process that has the data folder: makes what is needed, remembers where they are, and
 * tries the bucket out. Throws PicturesRefused.
 */
export async function openPictures(data: string, settings: PictureSettings = {}): Promise<PictureStore> {
  const place = await placeIn(data, settings)
  if (!place) {
    await prepareFolder(join(data, FOLDER))
    return inFolder(data, settings)
  }
  const bucket = await bucketAt(place.address, settings)
  try {
    await bucket.tryOut()
    await writeRecord(join(data, PLACE_FILE), { version: 1, address: place.text })
  } catch (error) {
    bucket.close()
    throw error
  }
  return picturesIn(bucket, settings.dataKey)
}

/** Where the bucket is that pictures are kept in; null for the folder. Throws PicturesRefused. */
export async function bucketOf(data: string, settings: PictureSettings): Promise<string | null> {
  const place = await placeIn(data, settings)
  return place ? keptAt(place.address) : null
}

/** The same pictures, for reading them beside whoever has the data folder. Throws PicturesRefused. */
export async function picturesOf(data: string, settings: PictureSettings = {}): Promise<PictureStore> {
  const place = await placeIn(data, settings)
  return place
    ? picturesIn(await bucketAt(place.address, settings), settings.dataKey)
    : inFolder(data, settings)
}

const inFolder = (data: string, { dataKey }: PictureSettings): PictureStore =>
  picturesIn(folderObjects(join(data, FOLDER)), dataKey)

/** The library that signs is loaded only where there is a bucket. */
async function bucketAt(address: BucketAddress, { bucketKeys, onBucket }: PictureSettings) {
  if (!bucketKeys) {
    throw new PicturesRefused(
      `The pictures are in the bucket at ${keptAt(address)}: MIEN_S3_ACCESS_KEY_ID and ` +
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

/** The bucket to use; undefined for the folder. Whatever has pictures already is not left behind. */
async function placeIn(data: string, { pictures }: PictureSettings): Promise<Place | undefined> {
  const recorded = await recordedBucket(data)
  const text = pictures ?? recorded
  if (text === undefined) return undefined
  const address = bucketAddress(text)
  if (!address) throw new PicturesRefused('MIEN_PICTURES is no address of a bucket.')
  const before = recorded === undefined ? undefined : keptAt(bucketAddress(recorded)!)
  if (before !== undefined && before !== keptAt(address)) {
    throw new PicturesRefused(
      `The pictures are in the bucket at ${before}, and MIEN_PICTURES names the one at ${keptAt(address)}. ` +
        `Copy them, then remove ${join(data, PLACE_FILE)}: docs/operations.md says how.`,
    )
  }
  if (before === undefined && (await holdsPictures(data))) {
    throw new PicturesRefused(
      `${join(data, FOLDER)} holds pictures, and MIEN_PICTURES names a bucket. Copy them into it and move this ` +
        'folder away: docs/operations.md says how.',
    )
  }
  return { text, address }
}

/** Whether the pictures of this data folder are in a folder of its own. Throws PicturesRefused. */
export const isPicturesFolder = async (data: string): Promise<boolean> =>
  (await recordedBucket(data)) === undefined

/** In the data folder: the id of the installation that they belong to (files/installation.ts). */
export const PICTURES_MARK = `${FOLDER}/.installation`

/** The installation that the pictures in this data folder say they belong to; undefined where they say nothing. */
export const markedPictures = async (data: string): Promise<string | undefined> =>
  (await readFile(join(data, PICTURES_MARK), 'utf8').catch(ignoreCode('ENOENT')))?.trim()

/** On the disk when it resolves. */
export async function markPictures(data: string, installation: string): Promise<void> {
  if ((await markedPictures(data)) === installation) return
  const folder = join(data, FOLDER)
  await writeWhole(join(data, PICTURES_MARK), new TextEncoder().encode(`${installation}\n`), folder)
  await syncFolder(folder)
}

/** Whether there is any picture in the data folder's own folder. */
export async function holdsPictures(data: string): Promise<boolean> {
  try {
    for await (const _ of inFolder(data, {}).list()) return true
    return false
  } catch (error) {
    return ignoreCode('ENOENT')(error) ?? false
  }
}
