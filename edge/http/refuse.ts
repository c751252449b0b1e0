/** Converts errors to responses. */
import { errorAnswer, ServiceError } from '../../contract/errors.ts'
import { isDecoderCrash } from '../../wasm/decode/photo-file.ts'
import { CoreUnavailable } from '../core-client/core-response.ts'
import { type EdgeContext, jsonResponse } from './context.ts'
import { log } from './request-log.ts'

/** Returns the error handler of an isolate. It counts decoder crashes in the log, and builds the response. */
export function refuser(): (context: EdgeContext, error: unknown) => Response {
  let decoderCrashes = 0
  return (context, error) => {
    const requestId = context.get('requestId')
    if (isDecoderCrash(error)) log({ requestId, event: 'decoder crashed', count: ++decoderCrashes })
    return refusal(requestId, error)
  }
}

/** True for overload of the edge or core. No component failed. Core logs its own overload. */
const isOverload = (error: unknown) =>
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
  const { retryAfter, allow } = error instanceof ServiceError ? error.detail : {}
  if (status === 503 || status === 429) return { 'retry-after': String(retryAfter ?? 1) }
  if (status === 401) return { 'www-authenticate': 'Token realm="mien", Bearer realm="mien"' }
  if (retryAfter !== undefined) return { 'retry-after': String(retryAfter) }
  return allow ? { allow: allow.join(', ') } : {}
}

/** Type and source location of an internal error, never its message. Undefined for refusals and for overload. */
export function causeOf(error: unknown): string | undefined {
  if (error === undefined || errorAnswer(error).status < 500 || isOverload(error)) return undefined
  const root = error instanceof ServiceError ? error.cause : error
  return root instanceof Error ? `${root.name} ${root.stack?.split('\n')[1]?.trim() ?? ''}` : 'unknown'
}
