/**
 * Sends hostile requests, in a process that keeps the client's load out of the polite token's latencies. Sends an empty
 * message when its request is prepared, and the number of responses by status when it is stopped.
 */
import { once } from 'node:events'
import { childTask } from '../../child.ts'
import { callers, cheapClient } from '../../load.ts'
import { counts } from '../../statistics.ts'
import { HOSTILE } from './hostile.ts'

export interface HostileTask {
  kind: string
  origin: string
  token: string
  atOnce: number
}

/** Maximum number of hostile requests of one kind. */
const MOST = 20_000

const { given, stopped, send, finish } = childTask<HostileTask>()
const { kind, origin, token, atOnce } = given
const hostile = await HOSTILE[kind]!()
send({})
const target = { origin, ask: cheapClient(origin, token, stopped), signal: stopped }
const statuses: number[] = []
await callers(
  atOnce,
  () => stopped.aborted || statuses.length >= MOST,
  async () => statuses.push(await hostile(target)),
)
if (!stopped.aborted) await once(stopped, 'abort')
finish(counts(statuses))
