/** Streams a file that core sends in parts. */
import { bytesOf } from './picture-stream.ts'

/** A response that browsers save under this name. If the parts break off, the response breaks off, too. */
export function fileStream(
  items: AsyncGenerator<{ bytes: string }[], unknown>,
  type: string,
  name: string,
): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await items.next()
        if (done) return controller.close()
        for (const { bytes } of value) controller.enqueue(bytesOf(bytes))
      },
      async cancel() {
        await items.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })
}
