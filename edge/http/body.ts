/** Reads a request body into memory, with bounds on its size and on its arrival time. */
import { environment, type Timer } from '../../contract/environment.ts'
import { badParam, ServiceError, tooLarge } from '../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'
import type { Permit } from '../admission/admission.ts'
import { pause } from '../admission/fair-queue.ts'

/** Value of Content-Length in bytes; 0 when absent. Throws PHOTO_TOO_LARGE above REQUEST_LIMITS.bodyBytes (64 MB). */
export function announcedBytes(request: Request): number {
  const announced = lengthOf(request)
  if (announced > REQUEST_LIMITS.bodyBytes) throw bodyTooLarge(REQUEST_LIMITS.bodyBytes)
  return announced
}

const bodyTooLarge = (most: number) => tooLarge('The request body', most)

const lengthOf = (request: Request) => Number(request.headers.get('content-length')) || 0

const isEncoded = ({ headers }: Request) =>
  (headers.get('content-encoding') ?? '').split(',').some(coding => !/^\s*(?:identity\s*)?$/i.test(coding))

interface BodyOptions {
  /** Maximum size in bytes. */
  most: number
  /** Called with all bytes that have arrived so far. An error thrown here refuses the rest of the body. */
  arrived?: (bytes: Uint8Array) => void
}

/**
 * The body; empty when the request has none. Throws UNSUPPORTED_MEDIA_TYPE for a content encoding, and PHOTO_TOO_LARGE above
 * `most`. Throws BAD_PARAM when the body breaks off or takes longer than REQUEST_LIMITS.bodyArrivalMs. Throws SERVICE_UNAVAILABLE
 * when its memory is not available or must be freed.
 */
export async function readBody(
  request: Request,
  permit: Permit,
  { most, arrived }: BodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array()
  if (isEncoded(request)) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
  const announced = announcedBytes(request)
  if (announced > most) throw bodyTooLarge(most)
  const reader = partReader(request.body)
  const arrival = watchArrival(permit)
  let isReading = false
  const next = async () => {
    isReading = true
    const part = await Promise.race([reader.next().catch(throwIncomplete), arrival.failed])
    isReading = false
    return part
  }
  try {
    return await collect(next, { announced, most, permit, arrived })
  } catch (error) {
    // sendEarly reads the rest of a refused body. The rest of a slow or broken body is cancelled.
    if (isReading) reader.cancel()
    else reader.releaseLock()
    throw error
  } finally {
    arrival.end()
  }
}

/**
 * Sends a response while the caller still sends the body. The response starts immediately, and ends when the rest of the body
 * was read and dropped, or after REQUEST_LIMITS.refusedBodyMs. If the connection closed earlier, the caller would lose the response.
 */
export async function sendEarly(request: Request, response: Response): Promise<Response> {
  if (!request.body || request.body.locked || !response.body) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { readable, writable } = streamOf(bytes.length)
  const send = async () => {
    const writer = writable.getWriter()
    await writer.write(bytes)
    await dropRest(request)
    await writer.close()
  }
  // Fails when the caller disconnects.
  send().catch(() => {})
  return new Response(readable, response)
}

interface RuntimeStreams {
  FixedLengthStream?: new (length: number) => TransformStream<Uint8Array, Uint8Array>
}

/** A stream of known length: its Content-Length tells the caller where the response ends before the stream closes. */
function streamOf(length: number): TransformStream<Uint8Array, Uint8Array> {
  const { FixedLengthStream } = globalThis as RuntimeStreams
  return FixedLengthStream ? new FixedLengthStream(length) : new TransformStream()
}

async function dropRest({ body }: Request) {
  if (!body) return
  const reader = partReader(body)
  const late = pause(REQUEST_LIMITS.refusedBodyMs)
  for (let left = REQUEST_LIMITS.bodyBytes; left > 0; ) {
    const part = await Promise.race([reader.next().catch(() => undefined), late])
    if (!part) break
    left -= part.length
  }
  reader.cancel()
}

/** Bytes per read. The runtime's default parts have 4 KB, and the overhead of a read exceeds the cost of copying them. */
const PART_BYTES = 2 ** 18

/** Reads a body part by part into one buffer. A part is valid until the next call. Undefined at the end. */
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

interface CollectOptions extends BodyOptions {
  /** Content-Length in bytes; 0 when absent. */
  announced: number
  permit: Permit
}

/** Collects the parts. A body without Content-Length is copied to a larger buffer as it grows. */
async function collect(
  next: () => Promise<Uint8Array | undefined>,
  { announced, most, permit, arrived }: CollectOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(announced)
  let size = 0
  for (;;) {
    const part = await next()
    if (!part) return bytes.subarray(0, size)
    const needed = size + part.length
    if (needed > most) throw bodyTooLarge(most)
    if (needed > bytes.length) bytes = grown(bytes, Math.min(most, Math.ceil(needed * 1.5)), permit)
    bytes.set(part, size)
    size = needed
    arrived?.(bytes.subarray(0, size))
  }
}

/** Copies the body to a larger buffer. With growth by half, all copies together stay below three times the body's size. */
function grown(bytes: Uint8Array, length: number, permit: Permit): Uint8Array<ArrayBuffer> {
  permit.reserve(length)
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}

/** Interval of the checks that stop a late or evicted body. */
const CHECK_MS = 250

/** `failed` rejects with BAD_PARAM after REQUEST_LIMITS.bodyArrivalMs, and with SERVICE_UNAVAILABLE when the permit must yield. */
function watchArrival(permit: Permit): { failed: Promise<never>; end(): void } {
  let timer: Timer
  const failed = new Promise<never>((_, reject) => {
    let elapsed = 0
    timer = environment.interval(() => {
      elapsed += CHECK_MS
      if (permit.shouldYield) reject(new ServiceError('SERVICE_UNAVAILABLE'))
      if (elapsed >= REQUEST_LIMITS.bodyArrivalMs)
        reject(badParam('body', '', 'The body did not arrive in time.'))
    }, CHECK_MS)
  })
  return { failed, end: () => timer.cancel() }
}

const throwIncomplete = (cause: unknown): never => {
  throw new ServiceError('BAD_PARAM', { param: 'body', value: '', reason: 'The body broke off.' }, { cause })
}
