/** Holds responses of operations that change data until a replica of the database has the changes. */
import type { RpcOperation, RpcRequest } from '../../../contract/rpc/operations.ts'
import type { Replicas } from '../../metadata/connection/replicas.ts'
import type { Handlers, Reply } from './handlers.ts'

/**
 * Wraps handlers. Operations that change data reject with DatabaseUnavailable when no replica confirms their changes,
 * which stay. Refusals wait too: a repeated deletion finds nothing, because the first one was not confirmed in time.
 * After a failed confirmation, they start only when a replica confirms again.
 */
export function replicated(handlers: Handlers, replicas: Replicas): Handlers {
  const confirmed = <V extends RpcOperation>(verb: V) => ({
    [verb]: async (question: RpcRequest<V>, blobs: Uint8Array[]): Promise<Reply<V>> => {
      if (!('by' in question)) return handlers[verb](question, blobs)
      await replicas.confirmAfterFailure()
      const [outcome] = await Promise.allSettled([handlers[verb](question, blobs)])
      await replicas.confirm()
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    },
  })
  const verbs = Object.keys(handlers) as RpcOperation[]
  return Object.assign({}, ...verbs.map(confirmed)) as Handlers
}
