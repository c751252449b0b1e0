/** Responses with a text of the bundle or of the static assets, compressed for callers that accept it. */
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'

/** A text, or a function that reads it. */
export type Text = string | (() => Promise<BufferSource>)

const read = async (text: Text) => (typeof text === 'string' ? text : text())

/** Returns a function that answers with a text. Each text is read and compressed once: its compressed bytes stay in memory. */
export function textResponses() {
  const compressed = new Map<Text, ArrayBuffer>()
  return async (context: Context, text: Text, headers: Record<string, string>): Promise<Response> => {
    const varied = { ...headers, vary: 'Accept-Encoding' }
    if (!acceptsGzip(context)) return new Response(await read(text), { headers: varied })
    // Not the promise: a request must not wait for another request's stream, because that stream may be cancelled.
    const bytes = compressed.get(text) ?? (await gzipped(await read(text)))
    compressed.set(text, bytes)
    // Without `manual`, workerd would compress the bytes again.
    const init: ResponseInit & { encodeBody: 'manual' } = {
      headers: { ...varied, 'content-encoding': 'gzip' },
      encodeBody: 'manual',
    }
    return new Response(bytes, init)
  }
}

const acceptsGzip = (context: Context) =>
  accepts(context, {
    header: 'Accept-Encoding',
    supports: ['gzip'],
    default: '',
    match: codings => (codings.some(({ type, q }) => type.toLowerCase() === 'gzip' && q > 0) ? 'gzip' : ''),
  }) === 'gzip'

const gzipped = (text: string | BufferSource) =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
