/** Streamed responses, in constant memory while the items arrive: JSON lists, Server-Sent Events, live images, and files. */
import { byteStream } from '../../contract/byte-stream.ts'
import { EVENT_LIMITS } from '../../contract/limits/events.ts'
import { EVENT_STREAM } from '../../contract/operations/events.ts'

/**
 * JSON in UTF-8. `shape` maps each item; `tail` adds fields after the results. If the items break off, the response breaks
 * off, too: a caller cannot mistake a part for the complete list.
 */
export function streamedAnswer<Item, End>(
  items: AsyncGenerator<Item[], End>,
  shape: (item: Item) => unknown,
  tail: (end: End, last: Item | undefined) => Record<string, unknown> = () => ({}),
): Response {
  /** The text of the response in non-empty pieces. */
  async function* pieces(): AsyncGenerator<string, void> {
    let last: Item | undefined
    yield '{"results":['
    try {
      for (;;) {
        const { done, value } = await items.next()
        if (done) return yield `]${tailFields(tail(value, last))}}`
        const written = value.map(item => JSON.stringify(shape(item))).join()
        yield last === undefined ? written : `,${written}`
        last = value.at(-1)
      }
    } finally {
      // Ends the stream from core when the caller disconnects.
      await items.return(undefined as End)
    }
  }
  return new Response(byteStream(pieces()), {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
}

const tailFields = (fields: Record<string, unknown>) =>
  Object.entries(fields)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')

/** Headers of what browsers show or save. */
const PRIVATE = { 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' }

/** nginx buffers responses without this header. */
const UNBUFFERED = { 'x-accel-buffering': 'no' }

/** An event with its id and its type. Without `data` it is a heartbeat: receivers learn the id alone. */
export interface ServerSentEvent {
  id: number
  type?: string
  data?: unknown
}

/**
 * A response whose events have JSON data. `shape` maps each item. A stream that core interrupts ends: receivers connect again, with
 * the last id that they know. The next events are requested when the caller has read the previous ones.
 */
export function eventStream<Item>(
  items: AsyncGenerator<Item[], unknown>,
  shape: (item: Item) => ServerSentEvent,
): Response {
  async function* texts(): AsyncGenerator<string, void> {
    yield `retry: ${EVENT_LIMITS.retryMs}\n\n`
    try {
      for await (const some of items) yield some.map(item => eventText(shape(item))).join('')
    } catch {
      // Receivers connect again.
    }
  }
  return new Response(byteStream(texts(), items), {
    headers: { 'content-type': `${EVENT_STREAM}; charset=utf-8`, 'cache-control': 'no-store', ...UNBUFFERED },
  })
}

/** The text of an event. The line with a colon alone is a comment. An id without data is no event, but receivers remember it. */
export const eventText = ({ id, type, data }: ServerSentEvent): string =>
  data === undefined ? `:\nid: ${id}\n\n` : `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`

const BOUNDARY = 'frame'

/**
 * JPEG images as `multipart/x-mixed-replace`: browsers show them as one moving image. Sends the newest image of each item. The next
 * item is requested when the caller has read the previous one. A stream that core interrupts ends: viewers request it again.
 */
export function pictureStream(items: AsyncGenerator<{ picture: string }[], unknown>): Response {
  async function* parts(): AsyncGenerator<string | Uint8Array, void> {
    yield `--${BOUNDARY}\r\n`
    try {
      for await (const some of items) {
        const newest = some.at(-1)
        if (!newest) continue
        const picture = bytesOf(newest.picture)
        yield `Content-Type: image/jpeg\r\nContent-Length: ${picture.length}\r\n\r\n`
        yield picture
        // Browsers show an image when they have read the boundary behind it.
        yield `\r\n--${BOUNDARY}\r\n`
      }
    } catch {
      // Viewers request the stream again.
    }
  }
  const type = { 'content-type': `multipart/x-mixed-replace; boundary=${BOUNDARY}` }
  return new Response(byteStream(parts(), items), { headers: { ...type, ...PRIVATE, ...UNBUFFERED } })
}

/** A file that core sends in parts, which browsers save under this name. If the parts break off, the response breaks off, too. */
export function fileStream(
  items: AsyncGenerator<{ bytes: string }[], unknown>,
  type: string,
  name: string,
): Response {
  async function* parts(): AsyncGenerator<Uint8Array, void> {
    for await (const part of items) for (const { bytes } of part) yield bytesOf(bytes)
  }
  const file = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
  return new Response(byteStream(parts(), items), { headers: { ...file, ...PRIVATE } })
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
