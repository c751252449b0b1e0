/** Bodies of responses that are made while the caller reads them. */

/**
 * A stream of the parts; texts are in UTF-8. The next part is made when the caller has read the previous one. `source`, the origin
 * of the parts, ends when the caller leaves. An error of the parts breaks the body off.
 */
export function byteStream(
  parts: AsyncGenerator<string | Uint8Array, void>,
  source: AsyncGenerator<unknown, unknown> = parts,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      },
      async cancel() {
        await Promise.all([source.return(undefined), parts.return()])
      },
    },
    { highWaterMark: 0 },
  )
}
