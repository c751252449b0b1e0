/** A request's body as bytes: bounded in size before and while it arrives, and in the time it may take. */
import { badParam, ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import type { Permit } from '../admission/admission.ts'
import { pause } from '../admission/fair-queue.ts'

/** Bytes that the body is said to have; 0 when nothing is said. Throws PHOTO_TOO_LARGE above 64 MB. */
export function announcedBytes(request: Request): number {
  const announced = lengthOf(request)
  if (announced > LIMITS.bodyBytes) throw new ServiceError('PHOTO_TOO_LARGE')
  return announced
}

const lengthOf = (request: Request): number => Number(request.headers.get('content-length')) || 0

export interface BodyOptions {
  /** Bytes that it may have. */
  most: number
  /** Sees all that has arrived so far. What it throws refuses the body before it is there. */
  arrived?: (bytes: Uint8Array) => void
}

/**
 * Empty when there is none. PHOTO_TOO_LARGE above the bound, BAD_PARAM when it breaks off or takes too long, and
 * SERVICE_UNAVAILABLE when there is no room for it, or no longer.
 */
export async function readBody(
  request: Request,
  permit: Permit,
  { most, arrived }: BodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array()
  const announced = announcedBytes(request)
  if (announced > most) throw new ServiceError('PHOTO_TOO_LARGE')
  const reader = partReader(request.body)
  const arrival = watchArrival(permit)
  let isReading = false
  const next = async () => {
    isReading = true
    const part = await Promise.race([reader.next().catch(brokenOff), arrival.failed])
    isReading = false
    return part
  }
  try {
    return await collect(next, { announced, most, permit, arrived })
  } catch (error) {
    // What is left of a body that was refused, answeredBeforeBody drops. One that was slow or broke off is given up.
    if (isReading) reader.cancel()
    else reader.releaseLock()
    throw error
  } finally {
    arrival.end()
  }
}

/**
 * A refusal that its caller can read while the rest of the body is on its way. The answer is sent at once and ends when the
 * rest has arrived and was dropped, or when that takes too long. A connection that is closed before loses the answer.
 */
export async function answeredBeforeBody(request: Request, refusal: Response): Promise<Response> {
  if (!request.body || request.body.locked) return refusal
  const bytes = new Uint8Array(await refusal.arrayBuffer())
  const { readable, writable } = streamOf(bytes.length)
  const send = async (): Promise<void> => {
    const writer = writable.getWriter()
    await writer.write(bytes)
    await dropRest(request)
    await writer.close()
  }
  // It fails when the caller has gone.
  send().catch(() => {})
  return new Response(readable, refusal)
}

interface RuntimeStreams {
  FixedLengthStream?: new (length: number) => TransformStream<Uint8Array, Uint8Array>
}

/** The runtime's stream of a known length: a caller knows where the answer ends before the stream does. */
function streamOf(length: number): TransformStream<Uint8Array, Uint8Array> {
  const { FixedLengthStream } = globalThis as RuntimeStreams
  return FixedLengthStream ? new FixedLengthStream(length) : new TransformStream()
}

async function dropRest({ body }: Request): Promise<void> {
  if (!body) return
  const reader = partReader(body)
  const late = pause(LIMITS.refusedBodyMs)
  for (let left = LIMITS.bodyBytes; left > 0; ) {
    const part = await Promise.race([reader.next().catch(() => undefined), late])
    if (!part) break
    left -= part.length
  }
  reader.cancel()
}

/** Bytes of a body that are read at once. The runtime's own parts have 4 KB, and each read costs more than its bytes. */
const PART_BYTES = 2 ** 18

/** Reads a body into one buffer, part by part: a part is valid until the next one is asked for. Undefined at the end. */
function partReader(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader({ mode: 'byob' })
  let buffer = new ArrayBuffer(PART_BYTES)
  return {
    async next(): Promise<Uint8Array | undefined> {
      const { value, done } = await reader.read(new Uint8Array(buffer))
      if (done || !value) return undefined
      buffer = value.buffer
      return value
    },
    releaseLock: () => reader.releaseLock(),
    cancel: () => void reader.cancel().catch(() => {}),
  }
}

interface Collecting extends BodyOptions {
  /** Bytes that the body is said to have. */
  announced: number
  permit: Permit
}

/** A body that does not say how long it is is copied as it grows. */
async function collect(
  next: () => Promise<Uint8Array | undefined>,
  { announced, most, permit, arrived }: Collecting,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(announced)
  let size = 0
  for (;;) {
    const part = await next()
    if (!part) return bytes.subarray(0, size)
    const needed = size + part.length
    if (needed > most) throw new ServiceError('PHOTO_TOO_LARGE')
    if (needed > bytes.length) bytes = grown(bytes, Math.min(most, Math.ceil(needed * 1.5)), permit)
    bytes.set(part, size)
    size = needed
    arrived?.(bytes.subarray(0, size))
  }
}

/** Room for half as much again: what is copied while a body grows stays below three times its size. */
function grown(bytes: Uint8Array, length: number, permit: Permit): Uint8Array<ArrayBuffer> {
  permit.reserve(length)
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}

/** How often it is looked at whether a body may go on arriving. */
const WATCH_MS = 250

/** Fails when the body's time is over, or when it has to give way. */
function watchArrival(permit: Permit): { failed: Promise<never>; end(): void } {
  let timer: ReturnType<typeof setInterval>
  const failed = new Promise<never>((_, reject) => {
    let watched = 0
    timer = setInterval(() => {
      watched += WATCH_MS
      if (permit.shouldYield) reject(new ServiceError('SERVICE_UNAVAILABLE'))
      if (watched >= LIMITS.bodyArrivalMs) reject(badParam('body', '', 'The body did not arrive in time.'))
    }, WATCH_MS)
  })
  return { failed, end: () => clearInterval(timer) }
}

const brokenOff = (cause: unknown): never => {
  throw new ServiceError('BAD_PARAM', { param: 'body', value: '', reason: 'The body broke off.' }, { cause })
}
