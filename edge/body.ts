/** A request's body as bytes: bounded in size before and while it arrives, and in the time it may take. */
import { badParam, ServiceError } from '../core/contract/errors.ts'
import { LIMITS } from '../core/contract/limits.ts'
import type { Visit } from './admission.ts'
import { pause } from './line.ts'

/** Bytes that the body is said to have; 0 when nothing is said. Throws PHOTO_TOO_LARGE above 64 MB. */
export function announcedBytes(request: Request): number {
  const announced = lengthOf(request)
  if (announced > LIMITS.bodyBytes) throw new ServiceError('PHOTO_TOO_LARGE')
  return announced
}

const lengthOf = (request: Request): number => Number(request.headers.get('content-length')) || 0

/**
 * Empty when there is none. PHOTO_TOO_LARGE above 64 MB, BAD_PARAM when it breaks off or takes too long, and
 * SERVICE_UNAVAILABLE when there is no room for it, or no longer.
 */
export async function readBody(request: Request, visit: Visit): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array()
  const bytes = new Uint8Array(announcedBytes(request))
  const reader = request.body.getReader()
  const arrival = watchArrival(visit)
  try {
    return await collect(reader, bytes, visit, arrival.failed)
  } finally {
    arrival.end()
    // Not awaited: a sender that never ends must not hold the answer up.
    reader.cancel().catch(() => {})
  }
}

/**
 * Waits a moment for what a caller still sends who is going to be refused, and drops it. A connection is closed after its
 * answer when it carried a body that was not read to its end: who sends the next request on it just then never learns what
 * became of that. A body that is too large for it is left alone.
 */
export async function heardOut(request: Request): Promise<void> {
  if (!request.body || request.bodyUsed || lengthOf(request) > LIMITS.refusedBodyBytes) return
  const reader = request.body.getReader()
  const late = pause(LIMITS.refusedBodyMs)
  for (let left = LIMITS.refusedBodyBytes; left > 0; ) {
    const part = await Promise.race([reader.read().catch(() => undefined), late])
    if (!part?.value) break
    left -= part.value.length
  }
  reader.cancel().catch(() => {})
}

/** `bytes` is as large as the body is said to be; a body that says nothing is copied as it grows. */
async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  bytes: Uint8Array<ArrayBuffer>,
  visit: Visit,
  failed: Promise<never>,
): Promise<Uint8Array<ArrayBuffer>> {
  let size = 0
  for (;;) {
    const { done, value } = await Promise.race([reader.read().catch(brokenOff), failed])
    if (done) return bytes.subarray(0, size)
    const needed = size + value.length
    if (needed > LIMITS.bodyBytes) throw new ServiceError('PHOTO_TOO_LARGE')
    if (needed > bytes.length) bytes = grown(bytes, needed, visit)
    bytes.set(value, size)
    size = needed
  }
}

/** A body that does not say how long it is gets so much more room at a time, or as much again while it is small. */
const GROWTH = 2 ** 20

function grown(bytes: Uint8Array, needed: number, visit: Visit): Uint8Array<ArrayBuffer> {
  const length = needed + Math.min(needed, GROWTH)
  visit.hold(length)
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}

/** How often it is looked at whether a body may go on arriving. */
const WATCH_MS = 250

/** Fails when the body's time is over, or when it has to give way. */
function watchArrival(visit: Visit): { failed: Promise<never>; end(): void } {
  let timer: ReturnType<typeof setInterval>
  const failed = new Promise<never>((_, reject) => {
    let watched = 0
    timer = setInterval(() => {
      watched += WATCH_MS
      if (visit.isUnwanted) reject(new ServiceError('SERVICE_UNAVAILABLE'))
      if (watched >= LIMITS.bodyArrivalMs) reject(badParam('body', '', 'The body did not arrive in time.'))
    }, WATCH_MS)
  })
  return { failed, end: () => clearInterval(timer) }
}

const brokenOff = (cause: unknown): never => {
  throw new ServiceError('BAD_PARAM', { param: 'body', value: '', reason: 'The body broke off.' }, { cause })
}
