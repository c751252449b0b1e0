/** Guards RPC operations against a full disk. */
import type { RpcOperation, RpcRequest } from '../../../contract/rpc/operations.ts'
import type { DiskSpace } from '../../files/disk-space.ts'
import type { Handlers, Reply } from './handlers.ts'

/** Operations that only delete or revoke. They run on a full disk. All other operations that change data need free disk space. */
const DELETING: ReadonlySet<RpcOperation> = new Set<RpcOperation>([
  'face.delete',
  'faces.delete-with-meta',
  'person.delete',
  'camera.delete',
  'camera.release',
  'gallery.delete',
  'token.revoke',
  'alert.delete',
])

/** Operations that write rows of passing data, which no audit log has. */
const WRITING: ReadonlySet<RpcOperation> = new Set<RpcOperation>(['camera.lease', 'camera.picture'])

/** Wraps handlers. On a full disk, operations that add or change data reject with DiskFull before they start. */
export function diskGuarded(handlers: Handlers, room: DiskSpace): Handlers {
  const guarded = <V extends RpcOperation>(verb: V) => ({
    [verb]: (question: RpcRequest<V>, blobs: Uint8Array[]): Promise<Reply<V>> => {
      const run = () => handlers[verb](question, blobs)
      if (DELETING.has(verb)) return room.deleting(run)
      return 'by' in question || WRITING.has(verb) ? room.adding(run) : run()
    },
  })
  const verbs = Object.keys(handlers) as RpcOperation[]
  return Object.assign({}, ...verbs.map(guarded)) as Handlers
}
