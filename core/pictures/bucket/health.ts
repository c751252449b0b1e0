/** Suspends requests to an unavailable bucket, and checks periodically whether it is available again. */
import { environment, type Timer } from '../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { PicturesUnavailable } from '../objects.ts'
import { BucketError, type SendToBucket } from './client.ts'

/**
 * Called when the bucket becomes unavailable, when it is available again, and at intervals while it refuses requests.
 * Causes contain codes that are safe to log.
 */
export type OnBucketAvailability = (
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
export function watchedBucket(
  ask: SendToBucket,
  check: () => Promise<unknown>,
  report: OnBucketAvailability,
): WatchedBucket {
  let outage: BucketError | undefined
  let lastReport = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  let closed = false

  function demand(): void {
    if (outage) throw new PicturesUnavailable({ cause: outage })
  }

  function markUnavailable(failure: BucketError): void {
    if (outage || closed) return
    outage = failure
    report('bucket unavailable', failure)
    checkLater()
  }

  function checkLater(): void {
    if (!closed) timer = environment.timer(() => void recheck(), STORE_LIMITS.bucketCheckMs, { ref: false })
  }

  async function recheck(): Promise<void> {
    // A refusal also shows that the bucket is reachable.
    const isReachable = await check().then(
      () => true,
      error => error instanceof BucketError && !error.passing,
    )
    if (!isReachable || closed) return checkLater()
    outage = undefined
    report('bucket available')
  }

  function reportRefusal(failure: BucketError): void {
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
