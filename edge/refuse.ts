/** The one error answer of the edge, and what its log says of errors. */
import { errorAnswer, ServiceError } from '../core/contract/errors.ts'
import { isFall } from '../wasm/decode/refusal.ts'
import { CoreAway } from './core-away.ts'
import { log } from './log.ts'
import { answer, type EdgeContext } from './route.ts'

/** How often it is told at most that there is no room: whoever is refused for that has to be refused cheaply. */
const CROWD_TOLD_MS = 1_000

/** What answers every error of an isolate, and counts those of which there may be many. */
export function refuser(): (context: EdgeContext, error: unknown) => Response {
  let falls = 0
  let crowded = 0
  let told = 0
  return (context, error) => {
    const requestId = context.get('requestId')
    const { status } = errorAnswer(error)
    if (isFall(error)) log({ requestId, event: 'decoder fell', count: ++falls })
    if (isCrowd(error)) {
      crowded++
      if (Date.now() - told < CROWD_TOLD_MS) return refusal(requestId, error)
      log({ event: 'no room', count: crowded })
      told = Date.now()
    } else if (status >= 500) log({ requestId, status, cause: causeOf(error) })
    return refusal(requestId, error)
  }
}

/** No part of the service failed: there was no room, here or in core, which has its own log. */
const isCrowd = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE' && error.cause === undefined

/** There is no room in this isolate: what core lacks, it says itself. */
export const isFull = (error: unknown): boolean => isCrowd(error) && !(error instanceof CoreAway)

/** The contract's body with the request's id. The sender of a photo that a decoder fell over is told no more than of any bad one. */
function refusal(requestId: string, error: unknown): Response {
  const { status, body } = errorAnswer(error)
  const headers: Record<string, string> =
    status === 503 || status === 429 ? { 'retry-after': String(retryAfter(error)) } : {}
  if (status === 401) headers['www-authenticate'] = 'Token'
  return answer({ ...body, request_id: requestId }, status, headers)
}

/** Seconds: what is known, or the least there is. */
const retryAfter = (error: unknown): number =>
  (error instanceof ServiceError ? error.detail.retryAfter : undefined) ?? 1

/** The kind of what is our fault and where it was made, never its text. */
const causeOf = (error: unknown): string => {
  const root = error instanceof ServiceError ? error.cause : error
  return root instanceof Error ? `${root.name} ${root.stack?.split('\n')[1]?.trim() ?? ''}` : 'unknown'
}
