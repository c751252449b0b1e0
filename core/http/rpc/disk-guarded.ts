/** Guards RPC operations against a full disk. */
import type { DiskUse } from '../../../contract/rpc/fields.ts'
import { RPC_OPERATIONS, type RpcOperation, type RpcRequest } from '../../../contract/rpc/operations.ts'
import type { DiskSpace } from '../../files/disk-space.ts'
import type { Handlers, Reply } from './handlers.ts'

/** Wraps handlers. On a full disk, operations that add or change data reject with DiskFull before they start. */
export function diskGuarded(handlers: Handlers, room: DiskSpace): Handlers {
  const guarded = <V extends RpcOperation>(verb: V) => ({
    [verb]: (question: RpcRequest<V>, blobs: Uint8Array[]): Promise<Reply<V>> => {
      const run = () => handlers[verb](question, blobs)
      const use = diskUse(verb)
      if (use === 'frees') return room.deleting(run)
      return use === 'writes' ? room.adding(run) : run()
    },
  })
  const verbs = Object.keys(handlers) as RpcOperation[]
  return Object.assign({}, ...verbs.map(guarded)) as Handlers
}

/** What the declaration says; operations that change data write unless they say that they free space. */
function diskUse(verb: RpcOperation): DiskUse | undefined {
  const operation = RPC_OPERATIONS[verb]
  const declared = 'disk' in operation ? operation.disk : undefined
  return declared ?? ('audit' in operation ? 'writes' : undefined)
}
