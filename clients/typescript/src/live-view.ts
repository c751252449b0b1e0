/** The live view of cameras: images as they arrive, and for watchers the cameras with viewers. */
import { MienNetworkError, refusalOf } from './errors.ts'
import { messagesOf, silenceLimit } from './live-events.ts'
import type { Connection } from './send.ts'

export interface StreamOptions {
  /** Ends the stream. The iteration then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** Yields the JPEG images of a camera until the service ends the stream. Throws MienError and MienNetworkError. */
export async function* liveImages(
  connection: Connection,
  id: string,
  options: StreamOptions,
): AsyncGenerator<Blob, void, undefined> {
  const body = await opened(connection, `/camera/${encodeURIComponent(id)}/live`, options)
  yield* passing(imagesOf(body), options)
}

/** Yields the ids of the cameras with viewers, at each change. Ends and throws as `liveImages`. */
export async function* viewedCameras(
  connection: Connection,
  options: StreamOptions,
): AsyncGenerator<string[], void, undefined> {
  const silence = silenceLimit(options.signal ?? new AbortController().signal)
  try {
    const messages = messagesOf(await opened(connection, '/viewers', options, silence.signal))
    for await (const { data } of passing(messages, options)) {
      silence.pause()
      if (data !== undefined) yield JSON.parse(data)
      silence.resume()
    }
  } finally {
    silence.end()
  }
}

async function opened(
  { base, token, fetch }: Connection,
  path: string,
  options: StreamOptions,
  signal = options.signal,
): Promise<ReadableStream<Uint8Array>> {
  const headers = new Headers({ authorization: `Token ${token}` })
  const init: RequestInit = { headers, redirect: 'manual', ...(signal && { signal }) }
  const response = await fetch(base + path, init).catch(cause => lost(options.signal, cause))
  if (!response.ok || !response.body) throw refusalOf(response, await response.text())
  return response.body
}

async function* passing<Item>(
  items: AsyncGenerator<Item>,
  { signal }: StreamOptions,
): AsyncGenerator<Item, void, undefined> {
  try {
    yield* items
  } catch (cause) {
    lost(signal, cause)
  }
}

function lost(signal: AbortSignal | undefined, cause: unknown): never {
  signal?.throwIfAborted()
  throw new MienNetworkError('The connection of the live view was lost.', { cause })
}

/** Greatest bytes of an image with its head. */
const MOST_BYTES = 2 ** 20

/** The parts of a multipart body by their lengths. */
async function* imagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Blob, void, undefined> {
  const reader = body.getReader()
  let rest = new Uint8Array()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const joined = new Uint8Array(rest.length + value.length)
      joined.set(rest)
      joined.set(value, rest.length)
      rest = joined
      for (let part = partOf(rest); part; part = partOf(rest)) {
        yield new Blob([rest.slice(part.start, part.end)], { type: 'image/jpeg' })
        rest = rest.slice(part.end)
      }
      if (rest.length > MOST_BYTES) throw new Error('too large')
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Characters of a head at most. */
const HEAD_LENGTH = 512

/** Where the image of the first part is. Undefined until it is complete. */
function partOf(bytes: Uint8Array): { start: number; end: number } | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_LENGTH))
  const found = /content-length: *(\d{1,7})[\s\S]*?\r\n\r\n/i.exec(head)
  if (!found) return undefined
  const start = found.index + found[0].length
  const end = start + Number(found[1])
  return end <= bytes.length ? { start, end } : undefined
}
