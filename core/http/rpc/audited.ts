/** Writes an audit log entry for each operation that changes data, before its response. */
import { storeGallery } from '../../../contract/model/gallery.ts'
import type { AuditSubject } from '../../../contract/rpc/fields.ts'
import {
  type ChangingOperation,
  RPC_OPERATIONS,
  type RpcOperation,
  type RpcRequest,
  type RpcResponse,
} from '../../../contract/rpc/operations.ts'
import { idLists, type Subject } from '../../metadata/audit-log/chain.ts'
import type { AuditRecorder } from '../../operations/upkeep/audit-log.ts'
import { galleryNumber } from '../store/statistics.ts'
import type { Handlers, Reply } from './handlers.ts'

/** For each operation that changes data: what the audit log records of it. The declarations have one each. */
type Audits = {
  [V in ChangingOperation]: { audit(question: RpcRequest<V>, answer: RpcResponse<V>): AuditSubject }
}

const AUDITS: Audits = RPC_OPERATIONS

/** Wraps handlers: operations that change data record actor, action and subject before they return. */
export function audited(handlers: Handlers, record: AuditRecorder): Handlers {
  const recording = <V extends ChangingOperation>(verb: V) => ({
    [verb]: async (question: RpcRequest<V>, blobs: Uint8Array[]): Promise<Reply<V>> => {
      const reply = await handlers[verb](question, blobs)
      const by = { actor: `token ${question.by}`, owner: question.owner, action: verb }
      const subject = withNumbers(question.owner, AUDITS[verb].audit(question, reply.answer))
      await Promise.all(inParts(subject).map(part => record({ ...by, subject: part })))
      return reply
    },
  })
  const verbs = (Object.keys(RPC_OPERATIONS) as RpcOperation[]).filter(isChanging)
  return Object.assign({}, handlers, ...verbs.map(recording))
}

const isChanging = (verb: RpcOperation): verb is ChangingOperation => 'audit' in RPC_OPERATIONS[verb]

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
