/** What an answer is: core's frame, core's refusal, or nothing of core's. */
import { ERRORS, type ErrorCode, ServiceError } from '../../core/contract/errors.ts'
import { decodeFrame, type Frame } from '../../core/contract/rpc/frame.ts'
import { DRAINING_HEADER, RefusalSchema } from '../../core/contract/rpc/operations.ts'
import { isNotSigned } from '../../core/contract/rpc/signature.ts'
import { CoreUnavailable } from './core-unavailable.ts'

/**
 * What Cloudflare answers in the place of a core that refused the connection, can't be found on the network, or could not agree on
 * TLS. Its other statuses (520, 522, 524, 530) may also come of a question that arrived.
 */
const UNREACHED = [521, 523, 525, 526]

/** Why there is an answer that is not core's. */
export function unavailableBy({ status, headers }: Response, cause?: unknown): CoreUnavailable {
  if (headers.has(DRAINING_HEADER)) return new CoreUnavailable('going')
  return new CoreUnavailable(
    UNREACHED.includes(status) ? 'unreached' : 'lost',
    cause ?? new Error('Not core'),
  )
}

/**
 * The frame of an answer. Throws core's refusal. Whatever answers without a frame is not core as we know it: a proxy's error
 * page, or a core that is stopping.
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
  if (headers.has(DRAINING_HEADER)) return new CoreUnavailable('going')
  const parsed = RefusalSchema.safeParse(header)
  if (!parsed.success || !(parsed.data.code in ERRORS)) return new ServiceError('INTERNAL_ERROR')
  const { code, detail } = parsed.data
  const error = new ServiceError(code as ErrorCode, detail)
  // Secrets or clocks that do not agree: the caller's token is as good as ever.
  if (isNotSigned(error)) return new CoreUnavailable('stranger', error)
  return code === 'SERVICE_UNAVAILABLE' ? new CoreUnavailable('unavailable', undefined, error.detail) : error
}
