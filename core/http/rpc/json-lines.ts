/** Streams items as a response body of JSON lines, with backpressure. */
import { LINES_TYPE } from '../../../contract/operations/messages.ts'
import type { ResponseForm } from './edge-compatibility.ts'

/** A stream ended with an error. It has no message and no cause because a runtime may print them. */
export class StreamInterrupted extends Error {
  override readonly name = 'StreamInterrupted'
}

/**
 * Waits for the first items: errors before them reject and become error responses. A later error is passed to `failed` and
 * interrupts the body before its last line.
 */
export async function linesResponse<Item, End>(
  items: AsyncGenerator<Item[], End>,
  failed: (error: unknown) => void,
  form: ResponseForm = (_, value) => value,
): Promise<Response> {
  let next = await items.next()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const line = next.done
          ? { end: form('end', next.value) }
          : { items: next.value.map(item => form('item', item)) }
        controller.enqueue(lineOf(line))
        if (next.done) return controller.close()
        try {
          next = await items.next()
        } catch (error) {
          failed(error)
          controller.error(new StreamInterrupted())
        }
      },
      async cancel() {
        await items.return(undefined as End)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': LINES_TYPE, 'cache-control': 'no-store' } })
}

const lineOf = (line: unknown): Uint8Array => Buffer.from(`${JSON.stringify(line)}\n`)
