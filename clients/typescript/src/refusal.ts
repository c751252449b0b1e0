/** Converts an HTTP response that is no success to a MienError. */
import { type ErrorCode, MienError } from './errors.ts'
import type { Box } from './types.ts'

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

/** Seconds of the header Retry-After, which has a number of seconds or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}
