/** A reading as the body of an answer: lines of JSON, each made when the one who asked has room for it. */
import { LINES_TYPE } from '../../contract/rpc/streams.ts'

/** The list could not be read to its end. Says no more: whoever logs it may print its message. */
export class StreamInterrupted extends Error {
  override readonly name = 'StreamInterrupted'
}

/**
 * Waits for the first items, so that a refusal is still answered as one. A failure after them is given to `failed`, and
 * breaks the body off before its last line.
 */
export async function linesResponse<Item, End>(
  reading: AsyncGenerator<Item[], End>,
  failed: (error: unknown) => void,
): Promise<Response> {
  let next = await reading.next()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        controller.enqueue(lineOf(next.done ? { end: next.value } : { items: next.value }))
        if (next.done) return controller.close()
        try {
          next = await reading.next()
        } catch (error) {
          failed(error)
          controller.error(new StreamInterrupted())
        }
      },
      async cancel() {
        await reading.return(undefined as End)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': LINES_TYPE, 'cache-control': 'no-store' } })
}

const lineOf = (line: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(line)}\n`)
