/** Converts errors to responses, and logs them. */
import { routePath } from 'hono/route'
import { errorAnswer, ServiceError } from '../../core/contract/errors.ts'
import { isDecoderCrash } from '../../wasm/decode/refusal.ts'
import { pause } from '../admission/fair-queue.ts'
import { CoreUnavailable } from '../core-client/core-unavailable.ts'
import { log } from '../log.ts'
import { type EdgeContext, jsonResponse } from '../operations/route.ts'
import { type RefusalLine, refusalLog } from './refusal-log.ts'

/** Minimum interval between log lines about overload. A refusal during overload must be cheap. */
const OVERLOAD_LOG_MS = 1_000

/** Returns the error handler of an isolate. It logs each error, counts decoder crashes and overloads, and builds the response. */
export function refuser(
  background: (work: Promise<void>) => void = () => {},
): (context: EdgeContext, error: unknown) => Response {
  const logRefusal = refusalLog({ write: log, later: (ms, work) => background(pause(ms).then(work)) })
  let decoderCrashes = 0
  let overloads = 0
  let loggedAt = 0
  return (context, error) => {
    const requestId = context.get('requestId')
    logRefusal(lineOf(context, error))
    if (isDecoderCrash(error)) log({ requestId, event: 'decoder crashed', count: ++decoderCrashes })
    if (isOverload(error)) {
      overloads++
      if (Date.now() - loggedAt >= OVERLOAD_LOG_MS) {
        log({ event: 'no room', count: overloads })
        loggedAt = Date.now()
      }
    }
    return refusal(requestId, error)
  }
}

function lineOf(context: EdgeContext, error: unknown): RefusalLine {
  const { status } = errorAnswer(error)
  return {
    request_id: context.get('requestId'),
    status,
    code: error instanceof ServiceError ? error.code : 'INTERNAL_ERROR',
    method: context.req.method,
    route: routePath(context),
    ...(status >= 500 && !isOverload(error) ? { cause: causeOf(error) } : {}),
  }
}

/** True for overload of the edge or core. No component failed. Core logs its own overload. */
const isOverload = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE' && error.cause === undefined

/** True when this isolate is overloaded. Errors of core do not count. */
export const isIsolateOverloaded = (error: unknown): boolean =>
  isOverload(error) && !(error instanceof CoreUnavailable)

/** The error body of the contract with the request id. A photo that crashes a decoder gets the same response as any bad photo. */
function refusal(requestId: string, error: unknown): Response {
  const { status, body } = errorAnswer(error)
  return jsonResponse({ ...body, request_id: requestId }, status, headersOf(status, error))
}

function headersOf(status: number, error: unknown): Record<string, string> {
  const { retryAfter = 1, allow } = error instanceof ServiceError ? error.detail : {}
  if (status === 503 || status === 429) return { 'retry-after': String(retryAfter) }
  if (status === 401) return { 'www-authenticate': 'Token realm="mien", Bearer realm="mien"' }
  return allow ? { allow: allow.join(', ') } : {}
}

/** Type and source location of an internal error, never its message. */
const causeOf = (error: unknown): string => {
  const root = error instanceof ServiceError ? error.cause : error
  return root instanceof Error ? `${root.name} ${root.stack?.split('\n')[1]?.trim() ?? ''}` : 'unknown'
}
