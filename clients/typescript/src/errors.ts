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
