/** Answers without a bound: `{"results": [...]}` written as the items come, in constant memory. */

/**
 * JSON in UTF-8. Each item is written as `shape` makes it; `tail` adds fields behind the results, knowing the last item.
 * When the items break off, so does the answer: a caller never takes a part for the whole.
 */
export function streamedAnswer<Item, End>(
  items: AsyncGenerator<Item[], End>,
  shape: (item: Item) => unknown,
  tail: (end: End, last: Item | undefined) => Record<string, unknown> = () => ({}),
): Response {
  const pieces = piecesOf(items, shape, tail)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } })
}

/** The text of the answer: none of its pieces is empty. */
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
      if (done) return yield `]${fieldsBehind(tail(value, last))}}`
      const written = value.map(item => JSON.stringify(shape(item))).join()
      yield last === undefined ? written : `,${written}`
      last = value.at(-1)
    }
  } finally {
    // A caller who is gone needs no more of core.
    await items.return(undefined as End)
  }
}

const fieldsBehind = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')
