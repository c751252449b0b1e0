/** Sentences for errors. */
import { MienError, MienNetworkError, MienTimeoutError } from '../../clients/typescript/src/index.ts'
import { TEXTS } from '../texts.ts'

/** What to tell the visitor. The reasons of the API are sentences already. */
export function sentenceOf(error: unknown): string {
  if (error instanceof MienTimeoutError) return TEXTS.errors.timeout
  if (error instanceof MienNetworkError) return TEXTS.errors.network
  if (!(error instanceof MienError)) return TEXTS.errors.unexpected
  const reason = /[.!?]$/.test(error.reason) ? error.reason : `${error.reason}.`
  return error.status === 429 && error.retryAfter
    ? `${reason} ${TEXTS.errors.retryAfter(error.retryAfter)}`
    : reason
}
