/** Sends requests to a bucket: signed, with timeouts, limits and retries. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { concurrencyLimit } from '../../../contract/concurrency-limit.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { BucketAddress, BucketKeys } from './address.ts'
import { BucketError, refusalOf } from './bucket-error.ts'

export interface BucketRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Key of an object, without the prefix. When absent, the request is to the bucket itself. */
  key?: string
  query?: Record<string, string>
  content?: { bytes: Uint8Array; type: string }
}

/**
 * Returns the response's bytes; undefined for a missing object. Rejects with BucketError. A request may be sent several
 * times, and one without a response may take effect later: all requests are idempotent.
 */
export type SendToBucket = (request: BucketRequest) => Promise<Uint8Array<ArrayBuffer> | undefined>

export interface AskBounds {
  /** Timeout of one attempt, from its first byte to the last byte of the response. */
  attemptMs: number
  attempts: number
  /** Concurrent requests, and how long further ones wait, in milliseconds. */
  atOnce: number
  waitMs: number
}

export const ASK_BOUNDS: AskBounds = {
  attemptMs: LIMITS.bucketAnswerMs,
  attempts: LIMITS.bucketAttempts,
  atOnce: LIMITS.bucketRequests,
  waitMs: LIMITS.bucketWaitMs,
}

/** Longest pause before the second attempt, in milliseconds. It doubles before each further attempt. */
const PAUSE_MS = 100

export function bucketClient(address: BucketAddress, keys: BucketKeys, bounds: AskBounds): SendToBucket {
  const inSlot = concurrencyLimit(bounds.atOnce, bounds.waitMs, () => new BucketError('busy', false))
  const signingKeys = new Map<string, ArrayBuffer>()

  async function attempt(request: BucketRequest): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const signal = AbortSignal.timeout(bounds.attemptMs)
    const { method, url, headers } = await signed(address, keys, signingKeys, request)
    const body = request.content && new Uint8Array(request.content.bytes)
    const { status, bytes } = await fetch(url, {
      method,
      headers,
      signal,
      // A redirected request would need another signature.
      redirect: 'manual',
      ...(body && { body }),
    })
      .then(async response => ({ status: response.status, bytes: await bounded(response) }))
      .catch(error => {
        throw new BucketError('silent', true, { cause: error })
      })
    if (status === 200 || status === 204) return bytes
    const refusal = refusalOf(status, bytes)
    const isAnObject = request.key !== undefined && method !== 'PUT'
    if (status === 404 && isAnObject && refusal.code !== '404 NoSuchBucket') return undefined
    throw refusal
  }

  return async request => {
    for (let pause = PAUSE_MS, done = 1; ; pause *= 2, done++) {
      try {
        return await inSlot(() => attempt(request))
      } catch (error) {
        if (!(error instanceof BucketError) || !error.passing || done >= bounds.attempts) throw error
      }
      // The random pause spreads the retries of requests that failed together.
      await sleep(Math.random() * pause)
    }
  }
}

/** The signature covers the hash of the content: the server refuses content that was changed in transit. */
function signed(
  { endpoint, bucket, prefix, region }: BucketAddress,
  keys: BucketKeys,
  cache: Map<string, ArrayBuffer>,
  { method, key, query, content }: BucketRequest,
): Promise<{ method: string; url: URL; headers: Headers }> {
  const path = key === undefined ? '' : `/${prefix}${key}`
  const url = new URL(`${endpoint}/${bucket}${path}`)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  const hash = createHash('sha256').update(content?.bytes ?? '')
  const headers = {
    'x-amz-content-sha256': hash.digest('hex'),
    ...(content && { 'content-type': content.type }),
  }
  return new AwsV4Signer({ method, url: url.href, headers, service: 's3', region, cache, ...keys }).sign()
}

async function bounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > LIMITS.bucketAnswerBytes) throw new Error('more than was asked for')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
