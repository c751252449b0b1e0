/** Sends one request of the API, with retries within a time limit. */
import { MienError, MienNetworkError, MienTimeoutError, refusalOf } from './errors.ts'
import { type Fields, formOf, type Photo, queryOf } from './fields.ts'

/** Options of each call. */
export interface CallOptions {
  /** Aborts the call, its retries included. The call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole call, retries included. Default: the option of the client. */
  timeoutMs?: number | undefined
  /** Retries at most. Default: the option of the client. */
  retries?: number | undefined
  /** Called before the wait for each retry. */
  onRetry?: (() => void) | undefined
}

interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below the version. */
  path: string
  query?: Fields
  /** Sent as JSON, or with photos as fields of a form. */
  body?: Fields
  /** Photos by their fields. Undefined ones are left out. */
  photos?: Readonly<Record<string, Photo | undefined>>
  idempotencyKey?: string | undefined
  /** The request has the same effect once and twice. Default: true, except for POST. */
  repeatable?: boolean
  /** Receives the headers of a successful answer. */
  onHeaders?: ((headers: Headers) => void) | undefined
}

/** The parsed answer; a Blob for a picture; undefined without a body. Throws MienError, MienNetworkError, MienTimeoutError or the reason of `signal`. */
export type Send = <T>(request: ApiRequest, options?: CallOptions) => Promise<T>

export interface Connection {
  /** URL of the service with the version, without a slash at the end. */
  base: string
  token: string
  timeoutMs: number
  retries: number
  retryDelayMs: number
  fetch: typeof fetch
}

export const sender =
  (connection: Connection): Send =>
  async <T>(request: ApiRequest, options: CallOptions = {}) => {
    const { signal, timeoutMs = connection.timeoutMs, retries = connection.retries, onRetry } = options
    signal?.throwIfAborted()
    const { repeatable = request.method !== 'POST' } = request
    const content = await contentOf(request)
    const deadline = performance.now() + timeoutMs
    const limit = AbortSignal.timeout(timeoutMs)
    const limits = { caller: signal, limit, all: signal ? AbortSignal.any([signal, limit]) : limit }
    for (let retry = 0, mayBeDone = false; ; retry++) {
      try {
        return (await attempt(connection, request, content, limits)) as T
      } catch (error) {
        if (mayBeDone && isGone(request, error)) return undefined as T
        const ms = delayMs(error, { retry, baseMs: connection.retryDelayMs, random: Math.random() })
        const isLast = retry >= retries || performance.now() + ms >= deadline
        if (isLast || !mayRetry(error, repeatable)) throw error
        mayBeDone ||= !(error instanceof MienError && error.status === 429)
        onRetry?.()
        await wait(ms, limits.all).catch(() => throwInterrupted(limits, request, error))
      }
    }
  }

/** The body of a request: a form, JSON or none. */
async function contentOf({ body, photos = {} }: ApiRequest): Promise<FormData | string | undefined> {
  const sent = Object.entries(photos).filter((entry): entry is [string, Photo] => entry[1] !== undefined)
  return sent.length > 0 ? formOf(sent, body ?? {}) : body && JSON.stringify(body)
}

interface Limits {
  caller: AbortSignal | undefined
  limit: AbortSignal
  all: AbortSignal
}

/** An earlier attempt of a deletion succeeded, and its answer was lost. */
const isGone = ({ method }: ApiRequest, error: unknown): boolean =>
  method === 'DELETE' && error instanceof MienError && error.code === 'NOT_FOUND'

async function attempt(
  { base, token, fetch }: Connection,
  request: ApiRequest,
  content: FormData | string | undefined,
  limits: Limits,
): Promise<unknown> {
  const { method, path, query = {}, idempotencyKey } = request
  const headers = new Headers({
    authorization: `Token ${token}`,
    accept: 'application/json, image/jpeg, application/zip, application/octet-stream',
  })
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (typeof content === 'string') headers.set('content-type', 'application/json')
  // A redirect could lead the token and the photo to another server.
  const init: RequestInit = { method, headers, signal: limits.all, redirect: 'manual' }
  if (content !== undefined) init.body = content
  let response: Response
  let text: string
  try {
    response = await fetch(base + path + queryOf(query), init)
    if (response.ok && isFile(response)) return await response.blob()
    text = await response.text()
  } catch (cause) {
    return throwInterrupted(limits, request, cause)
  }
  const answer = answerOf(response, text)
  request.onHeaders?.(response.headers)
  return answer
}

/** Whether an answer of this media type is a file. */
export const isFileType = (type: string): boolean => /^(image\/|application\/(zip|octet-stream)$)/.test(type)

const isFile = ({ headers }: Response): boolean => isFileType(headers.get('content-type') ?? '')

function answerOf(response: Response, text: string): unknown {
  if (!response.ok) throw refusalOf(response, text)
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw refusalOf(response, text)
  }
}

/** Throws the error of a request without an answer: the caller's reason, a time limit, or the network. */
function throwInterrupted({ caller, limit }: Limits, { method, path }: ApiRequest, cause: unknown): never {
  if (caller?.aborted) throw caller.reason
  const name = `${method} ${path}`
  if (limit.aborted) throw new MienTimeoutError(`${name}: no answer within the time limit.`, { cause })
  throw new MienNetworkError(`${name}: no answer from the service.`, { cause })
}

/** Statuses of a service or a proxy that may succeed later. */
const TEMPORARY = [429, 502, 503, 504]

/** Longest wait without Retry-After. */
const LONGEST_MS = 10_000

/**
 * True if sending the request again is safe, and may succeed. `repeatable`: the request has the same effect once and twice.
 * Another request is repeated after a 429 only, which proves that the service has done nothing.
 */
export function mayRetry(error: unknown, repeatable: boolean): boolean {
  if (error instanceof MienError)
    return error.status === 429 || (repeatable && TEMPORARY.includes(error.status))
  return repeatable && error instanceof MienNetworkError && !(error instanceof MienTimeoutError)
}

interface DelayOptions {
  /** Retries so far, from 0. */
  retry: number
  /** Milliseconds before the first retry without Retry-After. */
  baseMs: number
  /** From 0 to 1. */
  random: number
}

/** Milliseconds to wait. Doubles with each retry. Never less than Retry-After; jitter spreads the clients that were refused together. */
export function delayMs(error: unknown, { retry, baseMs, random }: DelayOptions): number {
  const backoff = Math.min(LONGEST_MS, baseMs * 2 ** retry) * (0.5 + random / 2)
  const asked = error instanceof MienError ? error.retryAfter : undefined
  return asked === undefined ? backoff : asked * 1000 + backoff
}

/** Resolves after the delay. Rejects with the reason of the signal when that aborts first. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
