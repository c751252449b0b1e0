/** Reads a response as a frame or refusal of core. Errors state whether core may have executed the request. */
import { ERRORS, type ErrorCode, ServiceError } from '../../contract/errors.ts'
import { RefusalSchema } from '../../contract/operations/messages.ts'
import { decodeFrame, type Frame } from '../../contract/rpc/frame.ts'
import {
  DRAINING_HEADER,
  RPC_VERSION,
  VERSION_HEADER,
  versionIn,
} from '../../contract/rpc/message-headers.ts'
import { isNotSigned } from '../../contract/rpc/signature.ts'

/**
 * - `lost`: no valid response arrived. Core may have executed the request.
 * - `unreached`: the request did not reach core.
 * - `draining`: core is draining and did not execute the request.
 * - `stranger`: core rejected the signature and did not execute the request.
 * - `older`: core is of an earlier version and did not understand the request.
 * - `unavailable`: core refused with SERVICE_UNAVAILABLE, for example because a shard is unavailable. It changed nothing.
 * - `unknown`: the answer to a change was lost, and core could not be asked for it.
 */
type UnavailableReason = 'lost' | 'unreached' | 'draining' | 'stranger' | 'older' | 'unavailable' | 'unknown'

/** API callers receive SERVICE_UNAVAILABLE, and OUTCOME_UNKNOWN for a change that core may have executed. */
export class CoreUnavailable extends ServiceError {
  readonly why: UnavailableReason

  constructor(reason: UnavailableReason, cause?: unknown, detail: ServiceError['detail'] = {}) {
    const code = reason === 'unknown' ? 'OUTCOME_UNKNOWN' : 'SERVICE_UNAVAILABLE'
    super(code, detail, cause === undefined ? undefined : { cause })
    this.why = reason
  }

  /** True when core did not execute the request. Any request may then be sent to another core. */
  get notExecuted(): boolean {
    return this.why === 'unreached' || this.why === 'draining' || this.why === 'stranger'
  }
}

/**
 * Statuses that Cloudflare returns when core refuses the connection, is unreachable, or fails the TLS handshake. Core did not
 * receive the request. After its other statuses (520, 522, 524, 530) core may have received it.
 */
const UNREACHED = [521, 523, 525, 526]

/** The error for a response that carries no usable result: core is draining, was not reached, or the outcome is unknown. */
export function unavailableBy({ status, headers }: Response, cause?: unknown): CoreUnavailable {
  if (headers.has(DRAINING_HEADER)) return new CoreUnavailable('draining')
  return new CoreUnavailable(
    UNREACHED.includes(status) ? 'unreached' : 'lost',
    cause ?? new Error('Not core'),
  )
}

/** Whether a core of an earlier version sent the response. */
export const isFromOlderCore = ({ headers }: Response): boolean =>
  versionIn(headers.get(VERSION_HEADER)) < RPC_VERSION

/** The error for a request that an earlier core did not understand. */
export const olderCore = (cause: unknown): CoreUnavailable =>
  new CoreUnavailable('older', cause, {
    reason: 'Core is of an earlier version than the edge, and does not serve this request. Upgrade core.',
  })

/** Whether an earlier core may refuse a request in this manner because it does not know the operation or a field. */
export const isMisunderstood = (response: Response, error: unknown): boolean =>
  isFromOlderCore(response) &&
  error instanceof ServiceError &&
  (error.code === 'INTERNAL_ERROR' || (response.status === 404 && isJson(response)))

const isJson = ({ headers }: Response) => headers.get('content-type')?.startsWith('application/json') ?? false

/**
 * Decodes the frame of a response. Throws core's refusal. Throws CoreUnavailable for a response without a frame, for example
 * the error page of a proxy or the response of a draining core.
 */
export async function readFrame(response: Response): Promise<Frame> {
  let frame: Frame
  try {
    frame = decodeFrame(new Uint8Array(await response.arrayBuffer()))
  } catch (cause) {
    throw unavailableBy(response, cause)
  }
  if (!response.ok) throw refusal(response, frame)
  return frame
}

function refusal({ headers }: Response, { header }: Frame): ServiceError {
  if (headers.has(DRAINING_HEADER)) return new CoreUnavailable('draining')
  const parsed = RefusalSchema.safeParse(header)
  if (!parsed.success || !(parsed.data.code in ERRORS)) return new ServiceError('INTERNAL_ERROR')
  const { code, detail } = parsed.data
  const error = new ServiceError(code as ErrorCode, detail)
  // The secrets or clocks of edge and core differ. The caller's token is not the reason.
  if (isNotSigned(error)) return new CoreUnavailable('stranger', error)
  return code === 'SERVICE_UNAVAILABLE' ? new CoreUnavailable('unavailable', undefined, error.detail) : error
}
