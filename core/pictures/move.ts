/** Moves the pictures of a stopped service between its folder and a bucket: copies and verifies each file, then switches. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { syncFolder } from '../files/durable.ts'
import { readRecord, writeRecord } from '../files/record.ts'
import { bucketAddress, bucketUrl } from './bucket/address.ts'
import { folderObjects, prepareFolder } from './folder.ts'
import { eachAtOnce, type Objects, PicturesRefused } from './objects.ts'
import {
  bucketAt,
  PICTURES_FOLDER,
  type PictureSettings,
  PLACE_FILE,
  recordBucket,
  recordedBucket,
} from './open.ts'
import { isPiece, PICTURES, pictureAt } from './pictures.ts'

/** Names the place of a move that is not finished. */
const MOVE = 'pictures-move.json'

const MoveSchema = z.strictObject({
  version: z.literal(1),
  /** Address of the bucket, or `pictures`. */
  to: z.string(),
})

interface PicturesMove extends Pick<PictureSettings, 'bucketKeys' | 'dataKey'> {
  /** Address of the bucket; the data folder when absent. */
  to: string | undefined
  /** Called after each picture, while they are copied and again while they are verified. */
  onProgress?: (step: 'copy' | 'verify', done: number) => void
}

/** Pictures that are copied or compared at once. */
const CONCURRENT_PICTURES = 16

/**
 * Moves all pictures and pieces of recordings; resolves with their number, and with undefined when they are there already. An
 * interrupted move changes nothing that is served: repeat it, also after a run of the service. Pictures in a bucket stay there. The
 * caller holds the data folder's lock. Throws PicturesRefused and PicturesUnavailable.
 */
export async function movePictures(data: string, move: PicturesMove): Promise<number | undefined> {
  const { to, bucketKeys } = move
  const recorded = await recordedBucket(data)
  const address = to === undefined ? undefined : bucketAddress(to)
  if (to !== undefined && !address) throw new PicturesRefused(`${to} is no address of a bucket.`)
  const isThere =
    recorded === undefined ? !address : address && bucketUrl(bucketAddress(recorded)!) === bucketUrl(address)
  if (isThere) {
    await finish(data)
    return undefined
  }
  const folder = join(data, PICTURES_FOLDER)
  const source =
    recorded === undefined ? folderObjects(folder) : await bucketAt(bucketAddress(recorded)!, { bucketKeys })
  const bucket = address && (await bucketAt(address, { bucketKeys }))
  const target = bucket ?? folderObjects(folder)
  try {
    if (bucket) await bucket.tryOut()
    else await prepareFolder(folder)
    await begin(data, to, target)
    const moved = await copyAll(source, target, move)
    if (to === undefined) await rm(join(data, PLACE_FILE))
    else await recordBucket(data, to)
    await syncFolder(data)
    await finish(data)
    return moved
  } finally {
    source.close()
    target.close()
  }
}

/** Records the move. Throws PicturesRefused when the target has pictures that no earlier attempt of this move copied. */
async function begin(data: string, to: string | undefined, target: Objects) {
  const record = { version: 1, to: to ?? PICTURES_FOLDER } as const
  const begun = await readRecord(join(data, MOVE), MoveSchema, PicturesRefused)
  if (begun?.to === record.to) return
  for await (const path of target.list()) {
    if (pictureAt(path))
      throw new PicturesRefused(
        `${to ?? join(data, PICTURES_FOLDER)} holds pictures already. Remove them, or name another place.`,
      )
  }
  await writeRecord(join(data, MOVE), record)
}

/** Removes the pictures of the data folder once a bucket has them, then the record of the move. */
async function finish(data: string) {
  const begun = await readRecord(join(data, MOVE), MoveSchema, PicturesRefused)
  if (!begun) return
  if ((await recordedBucket(data)) !== undefined)
    await rm(join(data, PICTURES_FOLDER), { recursive: true, force: true })
  await rm(join(data, MOVE))
  await syncFolder(data)
}

/** Removes the pictures in the data folder of a move that did not end: a bucket has them. The caller holds the folder's lock. */
export async function removeMovedPictures(data: string): Promise<void> {
  const begun = await readRecord(join(data, MOVE), MoveSchema, PicturesRefused)
  const bucket = await recordedBucket(data)
  if (bucket !== undefined && (begun?.to === PICTURES_FOLDER || begun?.to === bucket)) await finish(data)
}

/** Makes the target equal to the source, and compares every picture again. Resolves with their number. */
async function copyAll(source: Objects, target: Objects, { dataKey, onProgress = () => {} }: PicturesMove) {
  let copied = 0
  await eachAtOnce(CONCURRENT_PICTURES, picturesOf(source), async ({ path, kind }) => {
    const bytes = await source.read(path)
    const type = dataKey || !kind ? 'application/octet-stream' : PICTURES[kind].type
    if (bytes && !isSame(await target.read(path), bytes)) await target.write([{ path, bytes, type }])
    onProgress('copy', ++copied)
  })
  await eachAtOnce(CONCURRENT_PICTURES, picturesOf(target), async ({ path }) => {
    if (!(await source.has(path))) await target.remove([path])
  })
  let verified = 0
  await eachAtOnce(CONCURRENT_PICTURES, picturesOf(target), async ({ path }) => {
    const bytes = await source.read(path)
    if (!bytes || !isSame(await target.read(path), bytes)) throw new PicturesRefused(DIFFERS)
    onProgress('verify', ++verified)
  })
  if (verified !== copied) throw new PicturesRefused(DIFFERS)
  return verified
}

const DIFFERS = 'The copied pictures differ from the present ones. Repeat the move.'

/** Pictures, and pieces of recordings, which have no kind. */
async function* picturesOf(objects: Objects) {
  for await (const path of objects.list()) {
    const kind = pictureAt(path)?.kind
    if (kind || isPiece(path)) yield { path, kind }
  }
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array) => a !== undefined && Buffer.compare(a, b) === 0
