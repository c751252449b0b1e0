/** Reads unbounded lists of core: JSON lines, each validated before it is passed on. */
import { environment } from '../../contract/environment.ts'
import { ServiceError } from '../../contract/errors.ts'
import {
  LineSchema,
  STREAMS,
  type StreamEnd,
  type StreamItem,
  type StreamName,
} from '../../contract/operations/messages.ts'

/** Yields batches of items. Returns the end record of the stream. */
export type StreamItems<S extends StreamName> = AsyncGenerator<StreamItem<S>[], StreamEnd<S>>

/** Timeout for each read from core. Time that the caller spends between reads does not count. */
interface ReadDeadline {
  /** Awaits `work`. A timeout aborts the connection, and `work` then rejects. */
  during<Result>(work: Promise<Result>): Promise<Result>
}

/** Aborts `controller` when one read takes longer than `ms` milliseconds. */
export function readDeadline(ms: number, controller: AbortController): ReadDeadline {
  return {
    async during(work) {
      const timer = environment.timer(() => controller.abort(), ms)
      try {
        return await work
      } finally {
        timer.cancel()
      }
    },
  }
}

/**
 * Items of a response body. Throws SERVICE_UNAVAILABLE when the body stalls or breaks off before its end record. Throws
 * INTERNAL_ERROR for a line that does not match the schemas of the stream. `return` ends a read in progress, too: a stream of live
 * events may be silent for long.
 */
export function streamItems<S extends StreamName>(
  stream: S,
  body: ReadableStream<Uint8Array>,
  deadline: ReadDeadline,
): StreamItems<S> {
  const reader = body.getReader()
  const items = itemsOf(stream, reader, deadline)
  const finish = items.return.bind(items)
  return Object.assign(items, {
    return(end: StreamEnd<S>) {
      reader.cancel().catch(() => {})
      return finish(end)
    },
  })
}

async function* itemsOf<S extends StreamName>(
  stream: S,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { during }: ReadDeadline,
): StreamItems<S> {
  try {
    for await (const line of linesOf(() => during(reader.read()))) {
      const parsed = parsedLine(stream, line)
      if ('end' in parsed) return parsed.end
      yield parsed.items
    }
  } finally {
    // Not awaited: the list is complete, or the caller disconnected.
    reader.cancel().catch(() => {})
  }
  throw new ServiceError('SERVICE_UNAVAILABLE')
}

/** Complete lines of UTF-8 text. Text after the last line break is dropped. */
async function* linesOf(read: () => Promise<ReadableStreamReadResult<Uint8Array>>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  for (;;) {
    const { done, value } = await read().catch(throwUnavailable)
    if (done) return
    const [first = '', ...rest] = decoder.decode(value, { stream: true }).split('\n')
    pieces.push(first)
    for (const piece of rest) {
      yield pieces.join('')
      pieces = [piece]
    }
  }
}

const throwUnavailable = (cause: unknown): never => {
  throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause })
}

/** Validates one line against the schemas of the stream. The error has no cause, because a cause could hold personal data. */
function parsedLine<S extends StreamName>(
  stream: S,
  line: string,
): { items: StreamItem<S>[] } | { end: StreamEnd<S> } {
  const parsed = LineSchema.safeParse(jsonOf(line))
  if (!parsed.success) throw new ServiceError('INTERNAL_ERROR')
  const { item, end } = STREAMS[stream]
  if ('end' in parsed.data) {
    const last = end.safeParse(parsed.data.end)
    if (last.success) return { end: last.data as StreamEnd<S> }
  } else {
    const items = item.array().safeParse(parsed.data.items)
    if (items.success) return { items: items.data as StreamItem<S>[] }
  }
  throw new ServiceError('INTERNAL_ERROR')
}

/** Undefined for invalid JSON. Every schema rejects undefined. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
