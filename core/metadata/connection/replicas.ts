/** Confirms that a replica of the libSQL server has stored all committed changes. */

import * as z from 'zod'
import { environment, retry } from '../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import type { DatabaseAddress } from './address.ts'
import { DatabaseUnavailable, retryRefusedConnections } from './availability.ts'

/** Called when no replica confirms any longer, and when one confirms again. */
type OnReplica = (event: 'replica unavailable' | 'replica available', cause?: unknown) => void

export interface Replicas {
  /**
   * Resolves when a replica has stored all changes that were committed before the call. Rejects with
   * DatabaseUnavailable when none confirms it within STORE_LIMITS.databaseAnswerMs.
   */
  confirm(): Promise<void>
  /** Like `confirm` when the last confirmation failed; resolves at once otherwise. */
  confirmAfterFailure(): Promise<void>
}

/** The same rows at the primary and at its replicas, and only there. */
const INSTALLATION = 'SELECT id FROM installation'

/** Pause before a replica is asked again that has not replicated anything since its start. */
const RETRY_PAUSE_MS = 20

/**
 * Opens the replicas of `address`. The primary names the number of its last commit (`replication_index`). A replica
 * answers a query with this number once it has the commit.
 * Source: the Hrana protocol of sqld, https://github.com/tursodatabase/libsql/pull/799.
 */
export function openReplicas(address: DatabaseAddress, report: OnReplica = () => {}): Replicas {
  const primary = serverOf(address.url, address.token)
  const replicas = (address.replicas ?? []).map(url => serverOf(url, address.token))
  let failed = false

  async function confirmBefore(deadline: AbortSignal) {
    const { index, installation } = await primary(deadline)
    await Promise.any(replicas.map(replica => confirmAt(replica, { index, installation }, deadline)))
  }

  async function confirm() {
    try {
      await confirmBefore(environment.deadline(STORE_LIMITS.databaseAnswerMs))
    } catch (cause) {
      if (!failed) report('replica unavailable', cause)
      failed = true
      throw new DatabaseUnavailable({ cause })
    }
    if (failed) report('replica available')
    failed = false
  }

  return {
    confirm,
    async confirmAfterFailure() {
      if (failed) await confirm()
    },
  }
}

/** Rejects unless the replica has the commit `index` and belongs to the installation. */
async function confirmAt(
  replica: Server,
  { index, installation }: Pick<State, 'index' | 'installation'>,
  deadline: AbortSignal,
) {
  const state = await retry(() => replica(deadline, index), {
    // A replica that has not replicated anything since its start asks the primary, and reads no rows itself.
    isDone: state => state.installation !== installation || state.rowsRead > 0,
    delayMs: RETRY_PAUSE_MS,
    signal: deadline,
  })
  if (state.installation !== installation) throw new Error('a replica of another installation')
}

interface State {
  /** Number of the last commit. */
  index: string
  /** Id of the installation, as JSON. */
  installation: string
  /** Rows that the server itself read. */
  rowsRead: number
}

/** Queries a server. With `index`, a replica answers once it has this commit. */
type Server = (deadline: AbortSignal, index?: string) => Promise<State>

const Answer = z.object({
  results: z.tuple(
    [
      z.object({
        response: z.object({
          result: z.object({
            rows: z.array(z.unknown()).min(1),
            replication_index: z.string(),
            rows_read: z.number(),
          }),
        }),
      }),
    ],
    z.unknown(),
  ),
})

function serverOf(url: string, token: string | undefined): Server {
  const endpoint = new URL('/v3/pipeline', url.replace(/^libsql:/, 'https:'))
  return async (signal, index) => {
    // A signal in the Request itself may be garbage-collected before it aborts the copies of the request.
    const send = retryRefusedConnections(
      request => fetch(request, { signal }),
      () => STORE_LIMITS.databasePatienceMs,
    )
    const request = { type: 'execute', stmt: { sql: INSTALLATION, replication_index: index } }
    const response = await send(
      new Request(endpoint, {
        method: 'POST',
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        body: JSON.stringify({ baton: null, requests: [request, { type: 'close' }] }),
      }),
    )
    if (!response.ok) throw new Error(`${endpoint.origin} answers with ${response.status}`)
    const { results } = Answer.parse(await response.json())
    const { rows, replication_index, rows_read } = results[0].response.result
    return { index: replication_index, installation: JSON.stringify(rows), rowsRead: rows_read }
  }
}
