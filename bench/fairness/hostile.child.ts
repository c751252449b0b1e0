/**
 * Sends hostile requests from a process of its own, so that the latencies of the polite token are not those of a busy client:
 * `node hostile.child.ts KIND ORIGIN TOKEN AT_ONCE`. Says "ready" when its request is made, begins when it is told "begin",
 * and ends when it is told "end", with the answers that it got.
 */
import { once } from 'node:events'
import { HOSTILE } from './hostile.ts'
import { type Answer, asking } from './http.ts'
import { repeated } from './repeated.ts'

/** Hostile requests of one kind, at most. */
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
