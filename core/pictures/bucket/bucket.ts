/** Pictures in an S3-compatible bucket (AWS, R2, MinIO and others), with the keys that files have in a folder. */
import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import { eachAtOnce, type Objects, PicturesRefused, PicturesUnavailable } from '../objects.ts'
import { type BucketAddress, type BucketKeys, keptAt } from './address.ts'
import { ASK_BOUNDS, type AskBounds, askingBucket } from './ask.ts'
import { type OnBucketAvailability, watchedBucket } from './health.ts'
import { keysBelow, pageOf } from './listing.ts'
import type { BucketError } from './trouble.ts'

/** Objects of one call that are written or removed at once: half of what all calls together may. */
const AT_ONCE = 16

export interface BucketSettings {
  news?: OnBucketAvailability | undefined
  bounds?: Partial<AskBounds> | undefined
  /** Keys of one page of a list, at most. */
  page?: number
}

export interface Bucket extends Objects {
  /**
   * Writes, reads, lists and removes something. Throws PicturesRefused when the bucket does not let us; one that can't be
   * reached is away from then on, and no reason to refuse.
   */
  tryOut(): Promise<void>
}

/** The bucket is asked only when something is asked for. */
export function openBucket(
  address: BucketAddress,
  keys: BucketKeys,
  { news = () => {}, bounds = {}, page = LIMITS.bucketPage }: BucketSettings = {},
): Bucket {
  const all = { ...ASK_BOUNDS, ...bounds }
  const once = askingBucket(address, keys, { ...all, attempts: 1 })
  const aPage = () => pageOf(once, { prefix: address.prefix, limit: 1 })
  const { ask, demand, close } = watchedBucket(askingBucket(address, keys, all), aPage, news)

  const write = async (key: string, bytes: Uint8Array, type: string) => {
    await ask({ method: 'PUT', key, content: { bytes, type } })
  }
  const read = (key: string) => ask({ method: 'GET', key })

  async function remove(paths: Iterable<string> | AsyncIterable<string>): Promise<number> {
    let removed = 0
    await eachAtOnce(AT_ONCE, paths, async key => {
      await ask({ method: 'DELETE', key })
      removed++
    })
    return removed
  }

  async function* below(folder: string): AsyncGenerator<string> {
    for await (const key of keysBelow(ask, address.prefix + folder, page))
      yield key.slice(address.prefix.length)
  }

  return {
    async reach() {
      demand()
    },
    write: objects => eachAtOnce(AT_ONCE, objects, ({ path, bytes, type }) => write(path, bytes, type)),
    read,
    has: async key => (await ask({ method: 'HEAD', key })) !== undefined,
    remove,
    async removeBelow(folder) {
      await remove(below(`${folder}/`))
    },
    list: () => below(''),
    close,

    async tryOut() {
      const key = `.trial/${randomBytes(12).toString('hex')}`
      const bytes = Buffer.from('mien')
      try {
        await write(key, bytes, 'text/plain')
        const kept = await read(key)
        const { keys } = await pageOf(ask, { prefix: address.prefix + key, limit: 1 })
        await remove([key])
        if (kept && bytes.equals(kept) && keys.length === 1) return
      } catch (error) {
        if (!(error instanceof PicturesUnavailable)) throw error
        const trouble = error.cause as BucketError
        if (trouble.passing) return
        throw new PicturesRefused(
          `The bucket at ${keptAt(address)} does not let us write, read, list and remove: ${trouble.code}. ` +
            'Look at its name, the endpoint, the region, and what the access key may do.',
        )
      }
      throw new PicturesRefused(`The bucket at ${keptAt(address)} does not keep what is written to it.`)
    },
  }
}
