/** Guards of RPC operations, by their declarations: a full disk, the audit log, and replicas of the database. */
import { storeGallery } from '../../../contract/model/gallery.ts'
import type { AuditSubject, CallMessage } from '../../../contract/rpc/message.ts'
import { RPC_OPERATIONS, type RpcOperation } from '../../../contract/rpc/operations.ts'
import type { DiskSpace } from '../../files/disk-space.ts'
import { idLists, type Subject } from '../../metadata/audit-log/chain.ts'
import type { Replicas } from '../../metadata/connection/replicas.ts'
import type { AuditRecorder } from '../../operations/upkeep/audit-log.ts'
import { galleryNumber } from '../store/statistics.ts'
import type { Handlers, Reply } from './handlers.ts'

export interface Guards {
  diskSpace: DiskSpace
  record: AuditRecorder
  /** Absent: the database has no replica. */
  replicas?: Replicas | undefined
}

type Handler = (request: Record<string, unknown>, blobs: Uint8Array[]) => Promise<Reply<RpcOperation>>

/** Wraps the handlers of all operations. */
export const guarded = (handlers: Handlers, guards: Guards): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      guardedHandler(RPC_OPERATIONS[name as RpcOperation], handler as Handler, guards),
    ]),
  ) as unknown as Handlers

function guardedHandler(message: CallMessage, handler: Handler, guards: Guards): Handler {
  const { diskSpace, record, replicas } = guards
  const onDisk = diskGuarded(message, handler, diskSpace)
  if (!message.audit) return onDisk
  const recorded = audited(message, onDisk, record)
  return replicas ? replicated(recorded, replicas) : recorded
}

/** On a full disk, operations that write reject with DiskFull before they start. */
function diskGuarded({ disk }: CallMessage, handler: Handler, room: DiskSpace): Handler {
  if (disk === 'frees') return (request, blobs) => room.deleting(() => handler(request, blobs))
  if (disk === 'writes') return (request, blobs) => room.adding(() => handler(request, blobs))
  return handler
}

/** Operations that change data record actor, action and subject before they return. */
const audited =
  ({ name, audit }: CallMessage, handler: Handler, record: AuditRecorder): Handler =>
  async (request, blobs) => {
    const reply = await handler(request, blobs)
    const owner = String(request.owner)
    const entry = { actor: `token ${request.by}`, owner, action: name }
    const subject = withNumbers(owner, audit!(request, reply.response))
    await Promise.all(inParts(subject).map(part => record({ ...entry, subject: part })))
    return reply
  }

/**
 * Operations that change data reject with DatabaseUnavailable when no replica confirms their changes, which stay. Refusals wait
 * too: a repeated deletion finds nothing, because the first one was not confirmed in time. After a failed confirmation,
 * operations start only when a replica confirms again.
 */
const replicated =
  (handler: Handler, replicas: Replicas): Handler =>
  async (request, blobs) => {
    await replicas.confirmAfterFailure()
    const [outcome] = await Promise.allSettled([handler(request, blobs)])
    await replicas.confirm()
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }

/** The subject with numbers of galleries (core/http/store/statistics.ts) in place of their names. */
function withNumbers(owner: string, subject: AuditSubject): Subject {
  const number = (gallery: unknown) => galleryNumber(storeGallery(owner, String(gallery)))
  const entries = Object.entries(subject).map(([name, value]) => {
    if (!name.startsWith('galler') || value === undefined) return [name, value]
    return [name, Array.isArray(value) ? value.map(number) : number(value)]
  })
  return Object.fromEntries(entries)
}

/** Entries of bounded size with the ids of all faces: a restore replays them and needs every id. */
function inParts(subject: Subject): readonly Subject[] {
  const { faces, count } = subject
  if (count === undefined || !Array.isArray(faces)) return [subject]
  return idLists(faces).map((part, _, { length: parts }) => ({
    ...subject,
    faces: part,
    ...(parts > 1 && { parts }),
  }))
}
