/** Streams Server-Sent Events: each item as an event, and heartbeats that carry a position. */
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
  const encoder = new TextEncoder()
  let isFirst = true
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = isFirst
          ? `retry: ${EVENT_LIMITS.retryMs}\n\n`
          : await nextText(items, item => eventText(shape(item)))
        isFirst = false
        if (text === undefined) controller.close()
        else controller.enqueue(encoder.encode(text))
      },
      async cancel() {
        await items.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  // nginx buffers responses without this header.
  const headers = {
    'content-type': `${EVENT_STREAM}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  return new Response(body, { headers })
}

/** The text of the next items; undefined at the end of the stream. */
async function nextText<Item>(
  items: AsyncGenerator<Item[], unknown>,
  textOfItem: (item: Item) => string,
): Promise<string | undefined> {
  try {
    const { done, value } = await items.next()
    return done ? undefined : value.map(textOfItem).join('')
  } catch {
    return undefined
  }
}

/** The text of an event. The line with a colon alone is a comment. An id without data is no event, but receivers remember it. */
export const eventText = ({ id, type, data }: ServerSentEvent): string =>
  data === undefined ? `:\nid: ${id}\n\n` : `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
