/** Health: a bucket that does not answer is left alone, and asked now and then whether it is back. */
import { LIMITS } from '../../contract/limits.ts'
import { PicturesUnavailable } from '../objects.ts'
import type { AskBucket } from './ask.ts'
import { BucketError } from './trouble.ts'

/**
 * Told when the bucket is away, and when it is back; and now and then while it refuses what it is asked. Causes have
 * codes, and nothing that a log may not have.
 */
export type OnBucketAvailability = (
  event: 'bucket away' | 'bucket back' | 'bucket refused',
  cause?: unknown,
) => void

export interface WatchedBucket {
  /** Rejects with PicturesUnavailable: at once while the bucket is away. */
  ask: AskBucket
  /** Throws PicturesUnavailable while it is away. */
  demand(): void
  close(): void
}

/** `check` asks for next to nothing, once. */
export function watchedBucket(
  ask: AskBucket,
  check: () => Promise<unknown>,
  news: OnBucketAvailability,
): WatchedBucket {
  let away: BucketError | undefined
  let told = Number.NEGATIVE_INFINITY
  let next: NodeJS.Timeout | undefined
  let closed = false

  function demand(): void {
    if (away) throw new PicturesUnavailable({ cause: away })
  }

  function leave(trouble: BucketError): void {
    if (away || closed) return
    away = trouble
    news('bucket away', trouble)
    checkLater()
  }

  function checkLater(): void {
    if (!closed) next = setTimeout(() => void look(), LIMITS.bucketCheckMs).unref()
  }

  async function look(): Promise<void> {
    // Also a refusal is the answer of a bucket that is there.
    const answers = await check().then(
      () => true,
      error => error instanceof BucketError && !error.passing,
    )
    if (!answers || closed) return checkLater()
    away = undefined
    news('bucket back')
  }

  function tell(trouble: BucketError): void {
    if (performance.now() - told < LIMITS.refusalsEveryMs) return
    told = performance.now()
    news('bucket refused', trouble)
  }

  return {
    demand,
    async ask(request) {
      demand()
      try {
        return await ask(request)
      } catch (error) {
        if (!(error instanceof BucketError)) throw error
        if (error.passing) leave(error)
        else tell(error)
        throw new PicturesUnavailable({ cause: error })
      }
    },
    close() {
      closed = true
      clearTimeout(next)
    },
  }
}
