/** Guards of RPC operations, by their declarations: a full disk, the audit log, and replicas of the database. */
import { storeGallery } from '../../../contract/model/gallery.ts'
import {
  RPC_OPERATIONS,
  type RpcOperation,
  STREAMS,
  type StreamName,
} from '../../../contract/operations/messages.ts'
import type { AuditSubject, CallMessage } from '../../../contract/rpc/message.ts'
import type { DiskSpace } from '../../files/disk-space.ts'
import { actors } from '../../metadata/access/users.ts'
import { idLists, type Subject } from '../../metadata/audit-log/chain.ts'
import type { Replicas } from '../../metadata/connection/replicas.ts'
import type { AuditRecorder } from '../../operations/audit-log/audit-log.ts'
import { galleryNumber } from '../../operations/galleries/galleries.ts'
import type { Services } from '../../operations/services.ts'
import type { Fields, Handler, Handlers, StreamHandlers } from './handlers.ts'

export interface Guards {
  /** Actor of an entry of the audit log, by the id of a token or session. */
  actorOf(token: string): Promise<string>
  /** Whether views of people's data are recorded. */
  recordsViews(): boolean
  diskSpace: DiskSpace
  record: AuditRecorder
  /** Absent: the database has no replica. */
  replicas?: Replicas
}

/** The guards of these services. */
export const guardsOf = (services: Services, replicas?: Replicas): Guards => ({
  ...services,
  replicas,
  actorOf: actors(services.database),
  recordsViews: () => services.options.record_searches,
})

/** Wraps the handlers of all operations. */
export const guardHandlers = (handlers: Handlers, guards: Guards): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      guardedHandler(RPC_OPERATIONS[name as RpcOperation], handler, guards),
    ]),
  )

function guardedHandler(message: CallMessage, handler: Handler, guards: Guards): Handler {
  const { diskSpace, replicas } = guards
  const onDisk = diskGuarded(message, handler, diskSpace)
  if (message.views) return withView(message, onDisk, guards)
  if (!message.audit) return onDisk
  const recorded = audited(message, onDisk, guards)
  return replicas ? replicated(recorded, replicas) : recorded
}

/** On a full disk, operations that write reject with DiskFull before they start. */
function diskGuarded({ disk, frees }: CallMessage, handler: Handler, room: DiskSpace): Handler {
  if (disk === 'frees') return (...given) => room.deleting(() => handler(...given))
  if (disk !== 'writes') return handler
  return (request, ...given) =>
    room[frees?.(request) ? 'deleting' : 'adding'](() => handler(request, ...given))
}

/** Operations that change data record actor, action and subject before they return; some of them do so themselves. */
const audited =
  ({ name, audit }: CallMessage, handler: Handler, { actorOf, record }: Guards): Handler =>
  async (request, blobs) => {
    // Before the change: it may delete the user.
    const actor = await actorOf(String(request.by))
    const owner = String(request.owner)
    const entry = { actor, owner, action: name }
    let isRecorded = false
    const recordNow = async (response: Fields) => {
      const subject = audit!(request, response)
      const parts = subject ? inParts(withNumbers(owner, subject)) : []
      await Promise.all(parts.map(part => record({ ...entry, subject: part })))
      isRecorded = true
    }
    const reply = await handler(request, blobs, recordNow)
    if (!isRecorded) await recordNow(reply.response)
    return reply
  }

/** An edge of an earlier version does not say who looks. */
const UNKNOWN_VIEWER = 'token unknown'

/** Writes the entry of a view. A view without an owner is of photos of the caller only. */
async function recordView(
  name: string,
  { viewer, owner = viewer?.owner }: { viewer?: { owner: string; token: string }; owner?: string },
  subject: AuditSubject | undefined,
  { actorOf, record }: Guards,
) {
  if (!subject) return
  const actor = viewer ? await actorOf(viewer.token) : UNKNOWN_VIEWER
  await record({
    actor,
    owner,
    action: name,
    subject: owner === undefined ? {} : withNumbers(owner, subject),
  })
}

/** Operations that show data of people record who looked before they return, unless the setting is off. */
const withView =
  ({ name, views }: CallMessage, handler: Handler, guards: Guards): Handler =>
  async (request, blobs) => {
    const reply = await handler(request, blobs)
    if (guards.recordsViews()) await recordView(name, request, views!(request, reply.response), guards)
    return reply
  }

/**
 * Wraps the handlers of all streams. The entry of a view is written before the first items are read. A second entry follows, and a
 * replica confirms it together with the writes of the handler.
 */
export const guardStreams = (handlers: StreamHandlers, guards: Guards): StreamHandlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, open]) => {
      const { views, audit } = STREAMS[name as StreamName]
      const recorded = async function* (request: Fields) {
        if (guards.recordsViews()) await recordView(name, request, views?.(request), guards)
        return yield* open(request)
      }
      const audited = async function* (request: Fields) {
        const items = open(request)
        try {
          // A refusal is no entry.
          const first = await items.next()
          const viewer = { owner: String(request.owner), token: String(request.by) }
          await recordView(name, { viewer }, audit!(request), guards)
          await guards.replicas?.confirm()
          if (first.done) return first.value
          yield first.value
          return yield* items
        } finally {
          await items.return({})
        }
      }
      return [name, audit ? audited : views ? recorded : open]
    }),
  )

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

/** The subject with numbers of galleries in place of their names. */
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
  const { faces } = subject
  if (!Array.isArray(faces)) return [subject]
  return idLists(faces).map((part, _, { length: parts }) => ({
    ...subject,
    faces: part,
    ...(parts > 1 && { parts }),
  }))
}
