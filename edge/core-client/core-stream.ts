/** Unbounded lists of core: lines of JSON as they arrive, each parsed before it is passed on. */
import { ServiceError } from '../../core/contract/errors.ts'
import {
  LineSchema,
  STREAMS,
  type StreamEnd,
  type StreamItem,
  type StreamName,
} from '../../core/contract/rpc/streams.ts'

/** Items, some at a time, and what core says at their end. */
export type StreamItems<S extends StreamName> = AsyncGenerator<StreamItem<S>[], StreamEnd<S>>

/** Ends what core takes too long for; runs only while core is waited for, however slow the caller reads. */
export interface ReadDeadline {
  /** What the work gives, if it does so in time. */
  during<Result>(work: Promise<Result>): Promise<Result>
}

/** The controller is told when core took too long. */
export function readDeadline(ms: number, controller: AbortController): ReadDeadline {
  return {
    async during(work) {
      const timer = setTimeout(() => controller.abort(), ms)
      try {
        return await work
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** The items in this body. Throws SERVICE_UNAVAILABLE when it breaks off before its end or stalls. */
export async function* streamItems<S extends StreamName>(
  stream: S,
  body: ReadableStream<Uint8Array>,
  { during }: ReadDeadline,
): StreamItems<S> {
  const reader = body.getReader()
  try {
    for await (const line of linesOf(() => during(reader.read()))) {
      const parsed = parsedLine(stream, line)
      if ('end' in parsed) return parsed.end
      yield parsed.items
    }
  } finally {
    // Not awaited: the answer is complete, or the caller is gone.
    reader.cancel().catch(() => {})
  }
  throw new ServiceError('SERVICE_UNAVAILABLE')
}

/** Whole lines of UTF-8 text; what follows the last line's end is dropped. */
async function* linesOf(read: () => Promise<ReadableStreamReadResult<Uint8Array>>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  for (;;) {
    const { done, value } = await read().catch(brokenOff)
    if (done) return
    const [first = '', ...rest] = decoder.decode(value, { stream: true }).split('\n')
    pieces.push(first)
    for (const piece of rest) {
      yield pieces.join('')
      pieces = [piece]
    }
  }
}

const brokenOff = (cause: unknown): never => {
  throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause })
}

/** One line as the stream's schemas promise it. No cause is kept of what does not fit: it would tell of people. */
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

/** Undefined when it is no JSON, which no schema takes. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
