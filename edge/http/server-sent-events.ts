/** Streams Server-Sent Events: each item as an event, and heartbeats that carry a position. */
import { byteStream } from '../../contract/byte-stream.ts'
import { EVENT_LIMITS } from '../../contract/limits/events.ts'
import { EVENT_STREAM } from '../../contract/operations/history.ts'

/** An event with its id and its type. Without `data` it is a heartbeat: receivers learn the id alone. */
export interface ServerSentEvent {
  id: number
  type?: string
  data?: unknown
}

/**
 * A response whose events have JSON data. `shape` maps each item. A stream that core interrupts ends: receivers connect again, with
 * the last id that they know. The next events are requested when the caller has read the ones before.
 */
export function eventStream<Item>(
  items: AsyncGenerator<Item[], unknown>,
  shape: (item: Item) => ServerSentEvent,
): Response {
  // nginx buffers responses without this header.
  const headers = {
    'content-type': `${EVENT_STREAM}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  return new Response(byteStream(textsOf(items, shape), items), { headers })
}

async function* textsOf<Item>(
  items: AsyncGenerator<Item[], unknown>,
  shape: (item: Item) => ServerSentEvent,
): AsyncGenerator<string, void> {
  yield `retry: ${EVENT_LIMITS.retryMs}\n\n`
  try {
    for await (const some of items) yield some.map(item => eventText(shape(item))).join('')
  } catch {
    // Receivers connect again.
  }
}

/** The text of an event. The line with a colon alone is a comment. An id without data is no event, but receivers remember it. */
export const eventText = ({ id, type, data }: ServerSentEvent): string =>
  data === undefined ? `:\nid: ${id}\n\n` : `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
