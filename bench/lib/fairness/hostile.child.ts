/**
 * Sends hostile requests from a separate process, which keeps the client's load out of the polite token's latencies:
 * `node hostile.child.ts KIND ORIGIN TOKEN AT_ONCE`. Sends "ready" when its request is prepared, starts on the first
 * message, and ends on the second message with its responses.
 */
import { once } from 'node:events'
import { HOSTILE } from './hostile.ts'
import { type Answer, asking } from './http.ts'
import { repeated } from './repeated.ts'

/** Maximum number of hostile requests of one kind. */
const MOST = 20_000

const [, , kind = '', origin = '', token = '', atOnce = ''] = process.argv
const hostile = await HOSTILE[kind]!()
const ended = new AbortController()
const target = { origin, ask: asking(origin, token, ended.signal), signal: ended.signal }
process.send!('ready')
await once(process, 'message')
process.once('message', () => ended.abort())
const callers = Array.from({ length: Number(atOnce) }, () =>
  repeated(() => hostile(target), ended.signal, MOST / Number(atOnce)),
)
const answers: Answer[] = (await Promise.all(callers)).flat()
if (!ended.signal.aborted) await once(ended.signal, 'abort')
process.send!(answers, () => process.exit())
