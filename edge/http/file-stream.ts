/** Streams a file that core sends in parts. */
import { byteStream } from '../../contract/byte-stream.ts'
import { bytesOf } from './picture-stream.ts'

/** A response that browsers save under this name. If the parts break off, the response breaks off, too. */
export function fileStream(
  items: AsyncGenerator<{ bytes: string }[], unknown>,
  type: string,
  name: string,
): Response {
  return new Response(byteStream(bytesIn(items), items), {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })
}

async function* bytesIn(
  items: AsyncGenerator<{ bytes: string }[], unknown>,
): AsyncGenerator<Uint8Array, void> {
  for await (const part of items) for (const { bytes } of part) yield bytesOf(bytes)
}
