/** Unbounded responses: streams `{"results": [...]}` in constant memory while the items arrive. */
import { byteStream } from '../../contract/byte-stream.ts'

/**
 * JSON in UTF-8. `shape` maps each item; `tail` adds fields after the results. If the items break off, the response breaks
 * off, too: a caller cannot mistake a part for the complete list.
 */
export function streamedAnswer<Item, End>(
  items: AsyncGenerator<Item[], End>,
  shape: (item: Item) => unknown,
  tail: (end: End, last: Item | undefined) => Record<string, unknown> = () => ({}),
): Response {
  return new Response(byteStream(piecesOf(items, shape, tail)), {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
}

/** The text of the response in non-empty pieces. */
async function* piecesOf<Item, End>(
  items: AsyncGenerator<Item[], End>,
  shape: (item: Item) => unknown,
  tail: (end: End, last: Item | undefined) => Record<string, unknown>,
): AsyncGenerator<string, void> {
  let last: Item | undefined
  yield '{"results":['
  try {
    for (;;) {
      const { done, value } = await items.next()
      if (done) return yield `]${tailFields(tail(value, last))}}`
      const written = value.map(item => JSON.stringify(shape(item))).join()
      yield last === undefined ? written : `,${written}`
      last = value.at(-1)
    }
  } finally {
    // Ends the stream from core when the caller disconnects.
    await items.return(undefined as End)
  }
}

const tailFields = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')
