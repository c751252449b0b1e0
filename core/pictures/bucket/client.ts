/** Sends signed requests to a bucket with limits and retries; its errors, whose codes are safe to log, and its listing. */
import { hash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { concurrencyLimit } from '../../../contract/concurrency-limit.ts'
import { environment, retry } from '../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { PicturesUnavailable } from '../objects.ts'
import type { BucketAddress, BucketKeys } from './address.ts'

interface BucketRequest {
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
  /** Timeout of one attempt, from its first byte to the last byte of the response. Contents of requests and responses extend it. */
  attemptMs: number
  attempts: number
  /** Concurrent requests, and how long further ones wait, in milliseconds. */
  atOnce: number
  waitMs: number
}

export const ASK_BOUNDS: AskBounds = {
  attemptMs: STORE_LIMITS.bucketAnswerMs,
  attempts: STORE_LIMITS.bucketAttempts,
  atOnce: STORE_LIMITS.bucketRequests,
  waitMs: STORE_LIMITS.bucketWaitMs,
}

/** The slowest connection to a bucket that is no outage, 4 Mbit/s: a clip has megabytes. */
const LEAST_BYTES_PER_MS = 500

/** Longest pause before the second attempt, in milliseconds. It doubles before each further attempt. */
const FIRST_PAUSE_MS = 100

export function bucketClient(address: BucketAddress, keys: BucketKeys, bounds: AskBounds): SendToBucket {
  const inSlot = concurrencyLimit(bounds.atOnce, bounds.waitMs, () => new BucketError('busy', false))
  const signingKeys = new Map<string, ArrayBuffer>()

  async function attempt(request: BucketRequest): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const late = new AbortController()
    const giveUpAfter = (bytes: number) =>
      environment.timer(() => late.abort(), bounds.attemptMs + bytes / LEAST_BYTES_PER_MS)
    let timer = giveUpAfter(request.content?.bytes.length ?? 0)
    const { method, url, headers } = await signRequest(address, keys, signingKeys, request)
    const body = request.content && new Uint8Array(request.content.bytes)
    const { status, bytes } = await fetch(url, {
      method,
      headers,
      signal: late.signal,
      // A redirected request would need another signature.
      redirect: 'manual',
      body,
    })
      .then(async response => {
        timer.cancel()
        const length = Number(response.headers.get('content-length'))
        timer = giveUpAfter(Math.min(length || 0, STORE_LIMITS.bucketAnswerBytes))
        return { status: response.status, bytes: await bounded(response) }
      })
      .catch(error => {
        throw new BucketError('silent', true, { cause: error })
      })
      .finally(() => timer.cancel())
    if (status === 200 || status === 204) return bytes
    const refusal = refusalOf(status, bytes)
    const isAnObject = request.key !== undefined && method !== 'PUT'
    if (status === 404 && isAnObject && refusal.code !== '404 NoSuchBucket') return undefined
    throw refusal
  }

  return request =>
    retry(() => inSlot(() => attempt(request)), {
      isTemporary: error => error instanceof BucketError && error.passing,
      attempts: bounds.attempts,
      // The random pause spreads the retries of requests that failed together.
      delayMs: failures => environment.random() * FIRST_PAUSE_MS * 2 ** (failures - 1),
    })
}

/** The signature covers the hash of the content: the server refuses content that was changed in transit. */
function signRequest(
  { endpoint, bucket, prefix, region }: BucketAddress,
  keys: BucketKeys,
  cache: Map<string, ArrayBuffer>,
  { method, key, query, content }: BucketRequest,
): Promise<{ method: string; url: URL; headers: Headers }> {
  const path = key === undefined ? '' : `/${prefix}${key}`
  const url = new URL(`${endpoint}/${bucket}${path}`)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  const headers = {
    'x-amz-content-sha256': hash('sha256', content?.bytes ?? ''),
    ...(content && { 'content-type': content.type }),
  }
  return new AwsV4Signer({ method, url: url.href, headers, service: 's3', region, cache, ...keys }).sign()
}

async function bounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > STORE_LIMITS.bucketAnswerBytes) throw new Error('more than was asked for')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

export class BucketError extends Error {
  override readonly name = 'BucketError'
  /**
   * HTTP status and S3 error code, for example `403 AccessDenied`; `silent` without a response; `busy` when nothing was
   * sent.
   */
  readonly code: string
  /** Whether the error is transient: the same request may succeed later. */
  readonly passing: boolean

  constructor(code: string, passing: boolean, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.passing = passing
  }
}

/** Codes of transient errors: too many requests, server errors, and requests that arrived too slowly. */
const TRANSIENT = /^(408|429|5\d\d|400 RequestTimeout)( |$)/

/** The error for an unsuccessful response. Only the code of the body is used: the rest may contain the access key. */
function refusalOf(status: number, body: Uint8Array): BucketError {
  const [, s3Code = ''] = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(new TextDecoder().decode(body)) ?? []
  const code = `${status} ${s3Code}`.trim()
  return new BucketError(code, TRANSIENT.test(code))
}

/** One page of keys that begin with the prefix and follow `after`, at most `limit`, and whether there are more. */
export async function pageOf(
  ask: SendToBucket,
  { prefix, after = '', limit }: { prefix: string; after?: string; limit: number },
): Promise<{ keys: string[]; more: boolean }> {
  const query = {
    'list-type': '2',
    'max-keys': String(limit),
    ...(prefix !== '' && { prefix }),
    ...(after !== '' && { 'start-after': after }),
  }
  const xml = new TextDecoder().decode(await ask({ method: 'GET', query }))
  if (!/<ListBucketResult[\s>]/.test(xml)) throw invalidList('no list')
  const keys = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => unescaped(key!))
  return { keys, more: /<IsTruncated>true<\/IsTruncated>/.test(xml) }
}

/** All keys that begin with the prefix. Keys that are written or removed during the listing may be included or not. */
export async function* keysBelow(ask: SendToBucket, prefix: string, page: number): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const { keys, more } = await pageOf(ask, { prefix, after, limit: page })
    yield* keys
    if (!more) return
    const last = keys.at(-1) ?? ''
    // S3 sorts keys by their UTF-8 bytes. Without this check, a server that ignores `start-after` would cause an
    // endless loop.
    if (Buffer.compare(Buffer.from(last), Buffer.from(after)) <= 0) throw invalidList('no end')
    after = last
  }
}

const invalidList = (code: string) => new PicturesUnavailable({ cause: new BucketError(code, false) })

const XML_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescaped = (text: string) =>
  text.replace(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (whole, hex, digits, name) =>
    name === undefined
      ? String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10))
      : (XML_ENTITIES[name] ?? whole),
  )
