/** The one error answer of the edge, and what its log says of errors. */
import { routePath } from 'hono/route'
import { errorAnswer, ServiceError } from '../../core/contract/errors.ts'
import { isDecoderCrash } from '../../wasm/decode/refusal.ts'
import { pause } from '../admission/fair-queue.ts'
import { CoreUnavailable } from '../core-client/core-unavailable.ts'
import { log } from '../log.ts'
import { answer, type EdgeContext } from '../operations/route.ts'
import { type RefusalLine, refusalLog } from './refusal-log.ts'

/** How often it is told at most that there is no room: whoever is refused for that has to be refused cheaply. */
const CROWD_TOLD_MS = 1_000

/** What answers every error of an isolate, writes it down, and counts those of which there may be many. */
export function refuser(
  background: (work: Promise<void>) => void = () => {},
): (context: EdgeContext, error: unknown) => Response {
  const insertEntries = refusalLog({ write: log, later: (ms, work) => background(pause(ms).then(work)) })
  let falls = 0
  let crowded = 0
  let told = 0
  return (context, error) => {
    const requestId = context.get('requestId')
    insertEntries(lineOf(context, error))
    if (isDecoderCrash(error)) log({ requestId, event: 'decoder fell', count: ++falls })
    if (isCrowd(error)) {
      crowded++
      if (Date.now() - told >= CROWD_TOLD_MS) {
        log({ event: 'no room', count: crowded })
        told = Date.now()
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
    ...(status >= 500 && !isCrowd(error) ? { cause: causeOf(error) } : {}),
  }
}

/** No part of the service failed: there was no room, here or in core, which has its own log. */
const isCrowd = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE' && error.cause === undefined

/** There is no room in this isolate: what core lacks, it says itself. */
export const isFull = (error: unknown): boolean => isCrowd(error) && !(error instanceof CoreUnavailable)

/** The contract's body with the request's id. The sender of a photo that a decoder fell over is told no more than of any bad one. */
function refusal(requestId: string, error: unknown): Response {
  const { status, body } = errorAnswer(error)
  return answer({ ...body, request_id: requestId }, status, headersOf(status, error))
}

function headersOf(status: number, error: unknown): Record<string, string> {
  const { retryAfter = 1, allow } = error instanceof ServiceError ? error.detail : {}
  if (status === 503 || status === 429) return { 'retry-after': String(retryAfter) }
  if (status === 401) return { 'www-authenticate': 'Token realm="mien", Bearer realm="mien"' }
  return allow ? { allow: allow.join(', ') } : {}
}

/** The kind of what is our fault and where it was made, never its text. */
const causeOf = (error: unknown): string => {
  const root = error instanceof ServiceError ? error.cause : error
  return root instanceof Error ? `${root.name} ${root.stack?.split('\n')[1]?.trim() ?? ''}` : 'unknown'
}
