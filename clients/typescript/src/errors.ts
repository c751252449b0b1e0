/** Errors of the client: the service refused a request, or did not answer. */
import type { components } from './schema.ts'
import type { Box } from './types.ts'

type Refusal = components['schemas']['Refusal']

/** Codes of the API. The numeric code 400 of the API is `TOO_MANY_FACES` here. */
export type ErrorCode =
  | Extract<Refusal['code'], string>
  | 'TOO_MANY_FACES'
  /** The answer is not one of the service. A proxy or a wrong `url` may be the cause. */
  | 'UNEXPECTED_ANSWER'

/** Details of a refusal. */
export interface Refused {
  status: number
  code: ErrorCode
  reason: string
  requestId?: string | undefined
  retryAfter?: number | undefined
  param?: string | undefined
  faces?: readonly Box[] | undefined
}

/** The service refused the request. */
export class MienError extends Error {
  override readonly name: string = 'MienError'
  /** HTTP status. */
  readonly status: number
  /** For programs. */
  readonly code: ErrorCode
  /** For people. The text may change between versions. */
  readonly reason: string
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined
  /** Seconds until a retry makes sense. With status 429 and 503. */
  readonly retryAfter: number | undefined
  /** The invalid parameter. With BAD_PARAM and the codes that concern one photo of several. */
  readonly param: string | undefined
  /** Boxes of the detected faces. With TOO_MANY_FACES. */
  readonly faces: readonly Box[] | undefined

  constructor({ status, code, reason, requestId, retryAfter, param, faces }: Refused) {
    super(`${status} ${code}: ${reason}${requestId === undefined ? '' : ` (request ${requestId})`}`)
    this.status = status
    this.code = code
    this.reason = reason
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.param = param
    this.faces = faces
  }
}

/** No complete answer arrived: the service is unreachable, or the connection broke. `cause` has the error of `fetch`. */
export class MienNetworkError extends Error {
  override readonly name: string = 'MienNetworkError'
}

/** The call took longer than `timeoutMs`, retries included. */
export class MienTimeoutError extends MienNetworkError {
  override readonly name: string = 'MienTimeoutError'
}

interface Body {
  code?: unknown
  reason?: unknown
  param?: unknown
  faces?: unknown
}

/** The error of a response. `text` is its body. */
export function refusalOf({ status, headers }: Response, text: string): MienError {
  const body = objectOf(text)
  const isRefusal = typeof body.reason === 'string' && (typeof body.code === 'string' || body.code === 400)
  return new MienError({
    status,
    code: isRefusal ? codeOf(body.code) : 'UNEXPECTED_ANSWER',
    reason: isRefusal ? String(body.reason) : unexpectedReason(status),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: secondsOf(headers.get('retry-after')),
    param: typeof body.param === 'string' ? body.param : undefined,
    faces: Array.isArray(body.faces) ? (body.faces as Box[]) : undefined,
  })
}

const codeOf = (code: unknown): ErrorCode => (code === 400 ? 'TOO_MANY_FACES' : (code as ErrorCode))

/** A browser hides the status of a redirect: it is 0. */
const unexpectedReason = (status: number): string =>
  status === 0 || (status >= 300 && status < 400)
    ? 'The service answered with a redirect, which the client does not follow. Check `url`.'
    : 'The answer is not one of the service. Check `url` and the proxies before the service.'

function objectOf(text: string): Body {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

/** A later time was written by another clock. */
const MOST_SECONDS = 3_600

/** Seconds of the header Retry-After, which has a number of seconds or a date. At most an hour. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(MOST_SECONDS, Math.max(0, Math.ceil(seconds)))
}
