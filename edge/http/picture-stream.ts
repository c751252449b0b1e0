/** Streams JPEG images as `multipart/x-mixed-replace`, which browsers show as one moving image. */
import { byteStream } from '../../contract/byte-stream.ts'

const BOUNDARY = 'frame'

/**
 * A response of the newest image of each item. The next one is requested when the caller has read the one before. A stream that core
 * interrupts ends: viewers request it again.
 */
export function pictureStream(items: AsyncGenerator<{ picture: string }[], unknown>): Response {
  // nginx buffers responses without the last header.
  const headers = {
    'content-type': `multipart/x-mixed-replace; boundary=${BOUNDARY}`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'x-accel-buffering': 'no',
  }
  return new Response(byteStream(partsOf(items), items), { headers })
}

async function* partsOf(
  items: AsyncGenerator<{ picture: string }[], unknown>,
): AsyncGenerator<string | Uint8Array, void> {
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

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
