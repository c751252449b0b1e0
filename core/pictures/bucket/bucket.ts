/**
 * Stores pictures in an S3-compatible bucket (AWS, R2, MinIO and others), under the paths of files in a folder. Suspends requests
 * while the bucket is unavailable.
 */
import { randomBytes } from 'node:crypto'
import { environment, type Timer } from '../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { eachAtOnce, type Objects, PicturesRefused, PicturesUnavailable } from '../objects.ts'
import { type BucketAddress, type BucketKeys, bucketUrl } from './address.ts'
import {
  ASK_BOUNDS,
  type AskBounds,
  BucketError,
  bucketClient,
  keysBelow,
  pageOf,
  type SendToBucket,
} from './client.ts'

/** Concurrent writes or removals of one call: half of what all calls together may use (STORE_LIMITS.bucketRequests). */
const CONCURRENT_WRITES = 16

/** Code of a refusal because the clocks of the server and of this machine differ. */
const CLOCK_SKEW = /RequestTimeTooSkewed$/

export interface BucketSettings {
  news?: OnBucketAvailability
  bounds?: Partial<AskBounds>
  /** Maximum number of keys of a list page. */
  page?: number
}

export interface Bucket extends Objects {
  /**
   * Writes, reads, lists and removes a test object. Throws PicturesRefused when the bucket denies one of these
   * operations. An unreachable bucket is marked as unavailable, without an error.
   */
  tryOut(): Promise<void>
}

/** Opens a bucket. Sends no request until a method is called. */
export function openBucket(
  address: BucketAddress,
  keys: BucketKeys,
  { news = () => {}, bounds = {}, page = STORE_LIMITS.bucketPage }: BucketSettings = {},
): Bucket {
  const all = { ...ASK_BOUNDS, ...bounds }
  const singleAttempt = bucketClient(address, keys, { ...all, attempts: 1 })
  const onePage = () => pageOf(singleAttempt, { prefix: address.prefix, limit: 1 })
  const { ask, demand, close } = watchedBucket(bucketClient(address, keys, all), onePage, news)

  const write = async (key: string, bytes: Uint8Array, type: string) => {
    await ask({ method: 'PUT', key, content: { bytes, type } })
  }
  const read = (key: string) => ask({ method: 'GET', key })

  async function remove(paths: Iterable<string> | AsyncIterable<string>) {
    let removed = 0
    await eachAtOnce(CONCURRENT_WRITES, paths, async key => {
      await ask({ method: 'DELETE', key })
      removed++
    })
    return removed
  }

  async function* list(folder?: string): AsyncGenerator<string> {
    const prefix = address.prefix + (folder ? `${folder}/` : '')
    for await (const key of keysBelow(ask, prefix, page)) yield key.slice(address.prefix.length)
  }

  return {
    isLocal: false,
    async reach() {
      demand()
    },
    write: objects =>
      eachAtOnce(CONCURRENT_WRITES, objects, ({ path, bytes, type }) => write(path, bytes, type)),
    read,
    has: async key => (await ask({ method: 'HEAD', key })) !== undefined,
    remove,
    async removeBelow(folder) {
      await remove(list(folder))
    },
    list,
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
        const failure = error.cause as BucketError
        if (failure.passing) return
        throw new PicturesRefused(
          `The bucket at ${bucketUrl(address)} does not allow its key to write, read, list and remove: ${failure.code}. ` +
            (CLOCK_SKEW.test(failure.code)
              ? 'Set the clock of this machine: use NTP.'
              : 'Look at its name, the endpoint, the region, and what the access key may do.'),
        )
      }
      throw new PicturesRefused(`The bucket at ${bucketUrl(address)} does not keep what is written to it.`)
    },
  }
}

/**
 * Called when the bucket becomes unavailable, when it is available again, and at intervals while it refuses requests.
 * Causes contain codes that are safe to log.
 */
type OnBucketAvailability = (
  event: 'bucket unavailable' | 'bucket available' | 'bucket refused',
  cause?: unknown,
) => void

interface WatchedBucket {
  /** Sends a request. Rejects with PicturesUnavailable, without a request while the bucket is unavailable. */
  ask: SendToBucket
  /** Throws PicturesUnavailable while the bucket is unavailable. */
  demand(): void
  close(): void
}

/** Watches a bucket. `check` sends one cheap request, without retries. */
function watchedBucket(
  ask: SendToBucket,
  check: () => Promise<unknown>,
  report: OnBucketAvailability,
): WatchedBucket {
  let outage: BucketError | undefined
  let lastReport = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  let closed = false

  function demand() {
    if (outage) throw new PicturesUnavailable({ cause: outage })
  }

  function markUnavailable(failure: BucketError) {
    if (outage || closed) return
    outage = failure
    report('bucket unavailable', failure)
    checkLater()
  }

  function checkLater() {
    if (!closed) timer = environment.timer(() => void recheck(), STORE_LIMITS.bucketCheckMs, { ref: false })
  }

  async function recheck() {
    // A refusal also shows that the bucket is reachable.
    const isReachable = await check().then(
      () => true,
      error => error instanceof BucketError && !error.passing,
    )
    if (!isReachable || closed) return checkLater()
    outage = undefined
    report('bucket available')
  }

  function reportRefusal(failure: BucketError) {
    if (environment.monotonic() - lastReport < STORE_LIMITS.refusalsEveryMs) return
    lastReport = environment.monotonic()
    report('bucket refused', failure)
  }

  return {
    demand,
    async ask(request) {
      demand()
      try {
        return await ask(request)
      } catch (error) {
        if (!(error instanceof BucketError)) throw error
        if (error.passing) markUnavailable(error)
        else reportRefusal(error)
        throw new PicturesUnavailable({ cause: error })
      }
    },
    close() {
      closed = true
      timer?.cancel()
    },
  }
}
