/** Streams JPEG images as `multipart/x-mixed-replace`, which browsers show as one moving image. */

const BOUNDARY = 'frame'

/**
 * A response of the newest image of each item. The next one is requested when the caller has read the one before. A stream that core
 * interrupts ends: viewers request it again.
 */
export function pictureStream(items: AsyncGenerator<{ picture: string }[], unknown>): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      start: controller => controller.enqueue(encoder.encode(`--${BOUNDARY}\r\n`)),
      async pull(controller) {
        const picture = await nextPicture(items)
        if (!picture) return controller.close()
        const head = `Content-Type: image/jpeg\r\nContent-Length: ${picture.length}\r\n\r\n`
        controller.enqueue(encoder.encode(head))
        controller.enqueue(picture)
        // Browsers show an image when they have read the boundary behind it.
        controller.enqueue(encoder.encode(`\r\n--${BOUNDARY}\r\n`))
      },
      async cancel() {
        await items.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  // nginx buffers responses without the last header.
  const headers = {
    'content-type': `multipart/x-mixed-replace; boundary=${BOUNDARY}`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'x-accel-buffering': 'no',
  }
  return new Response(body, { headers })
}

/** The bytes of the next image; undefined at the end of the stream. */
async function nextPicture(
  items: AsyncGenerator<{ picture: string }[], unknown>,
): Promise<Uint8Array | undefined> {
  try {
    for (;;) {
      const { done, value } = await items.next()
      if (done) return undefined
      const newest = value.at(-1)
      if (newest) return bytesOf(newest.picture)
    }
  } catch {
    return undefined
  }
}

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
