/** Follows live events and alerts: connects again after each loss, and resumes after the last event. */
import { MienError, MienNetworkError, MienTimeoutError, refusalOf } from './errors.ts'
import { queryOf } from './fields.ts'
import { type Connection, delayMs, mayRetry, wait } from './send.ts'
import type { AlertData, EventFilter, Face } from './types.ts'

/** A face that a camera posted. */
export interface LiveEvent {
  /** Position of the event. As `lastEventId` it resumes after this event. */
  id: string
  face: Face
}

/** A face that met the conditions of a rule, or a test of a rule. */
export interface LiveAlert {
  /** Position, as in events. */
  id: string
  alert: AlertData
}

/** Follows events until the caller stops. */
export type LiveEvents<Item> = AsyncGenerator<Item, void, undefined>

/** `reconnecting`: the connection was lost, or the service is not available, and the client tries again. */
export type EventConnection = 'live' | 'reconnecting'

export interface EventOptions {
  /** Begins with the event after this one. Absent: with the events from now on. */
  lastEventId?: string | undefined
  /** Ends the events. The iteration then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Called with each new state of the connection. */
  onConnection?: ((state: EventConnection) => void) | undefined
  /** Called with the position of each message, also without an event. As `lastEventId` it resumes there. */
  onPosition?: ((id: string) => void) | undefined
}

/** Longest silence of the service, which sends a heartbeat every few seconds. Then the connection counts as lost. */
const SILENCE_MS = 30_000

/** Pause after a stream that the service ended, as it does after some minutes. */
const ENDED_MS = 500

/**
 * Yields events until the caller stops. No event is missing, also after a lost connection. Throws MienError when the service
 * refuses the stream, for example after the token was revoked, and the reason of `signal`. It does not end for other reasons.
 */
export async function* liveEvents(
  connection: Connection,
  filter: EventFilter & { alerts?: boolean },
  {
    lastEventId,
    signal = new AbortController().signal,
    onConnection = () => {},
    onPosition = () => {},
  }: EventOptions,
): LiveEvents<LiveEvent | LiveAlert> {
  let last = lastEventId
  let failures = 0
  let state: EventConnection | undefined
  const enter = (next: EventConnection): void => {
    if (state !== next) onConnection(next)
    state = next
  }
  for (;;) {
    const attempt = silenceLimit(signal)
    let delay = ENDED_MS
    try {
      for await (const message of await opened(connection, filter, last, attempt.signal)) {
        attempt.pause()
        if (message.id !== undefined) {
          last = message.id
          failures = 0
          enter('live')
          onPosition(message.id)
          yield* itemsIn(message)
        }
        attempt.resume()
      }
    } catch (cause) {
      signal.throwIfAborted()
      const error = errorOf(attempt.signal, cause)
      if (!isTemporary(error)) throw error
      enter('reconnecting')
      delay = delayMs(error, { retry: failures++, baseMs: connection.retryDelayMs, random: Math.random() })
    } finally {
      attempt.end()
    }
    await wait(delay, signal)
  }
}

/** The event or alert of a message. Heartbeats and messages of later versions have none. */
function itemsIn({ id = '', event, data }: Message): (LiveEvent | LiveAlert)[] {
  if (data === undefined) return []
  if (event === 'face') return [{ id, face: JSON.parse(data) as Face }]
  return event === 'alert' ? [{ id, alert: JSON.parse(data) as AlertData }] : []
}

async function opened(
  { base, token, fetch }: Connection,
  filter: EventFilter,
  last: string | undefined,
  signal: AbortSignal,
): Promise<AsyncGenerator<Message>> {
  const headers = new Headers({ authorization: `Token ${token}`, accept: 'text/event-stream' })
  if (last !== undefined) headers.set('last-event-id', last)
  const response = await fetch(`${base}/events${queryOf(filter)}`, { headers, signal, redirect: 'manual' })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!response.ok || !isStream || !response.body) throw refusalOf(response, await response.text())
  return messagesOf(response.body)
}

/** A signal that aborts after a silence of SILENCE_MS, or with the caller's. `end` aborts it, too. */
export function silenceLimit(caller: AbortSignal) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  let timer = setTimeout(abort, SILENCE_MS)
  return {
    signal: AbortSignal.any([caller, controller.signal]),
    /** The time in which the caller uses an event does not count. */
    pause: () => clearTimeout(timer),
    resume() {
      timer = setTimeout(abort, SILENCE_MS)
    },
    end() {
      clearTimeout(timer)
      abort()
    },
  }
}

function errorOf({ aborted }: AbortSignal, cause: unknown): MienError | MienNetworkError {
  if (cause instanceof MienError) return cause
  return aborted
    ? new MienTimeoutError('GET /events: nothing arrived within the time limit.', { cause })
    : new MienNetworkError('GET /events: the connection was lost.', { cause })
}

const isTemporary = (error: unknown): boolean => error instanceof MienTimeoutError || mayRetry(error, true)

/** One message of a stream. A heartbeat has an id at most. */
interface Message {
  id?: string
  event?: string
  data?: string
}

/** The complete messages of a body, in order. Ends with the body; a message that breaks off is dropped. */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Message, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield messageOf(block)
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Lines of comments begin with a colon. Lines of data are joined. */
function messageOf(block: string): Message {
  const message: Message = {}
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
    else if (name === 'id' || name === 'event') message[name] = value
  }
  return message
}
