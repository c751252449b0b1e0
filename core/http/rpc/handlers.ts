/** Binds the handlers of messages to their services, and their blobs to replies. */
import {
  RPC_OPERATIONS,
  type RpcOperation,
  type RpcRequest,
  type RpcResponse,
  STREAMS,
  type StreamName,
  type StreamRequest,
} from '../../../contract/operations/messages.ts'
import { sessionOpener } from '../../operations/access/sessions.ts'
import { auditVerifier } from '../../operations/audit-log/audit-verification.ts'
import { HANDLERS, type HandlerContext, type HandlerSources, type Items } from '../../operations/handlers.ts'
import type { Services } from '../../operations/services.ts'

/** A response and its blobs. */
export interface Reply<V extends RpcOperation> {
  response: RpcResponse<V>
  blobs?: Uint8Array[]
}

/**
 * A function from the parsed request and blobs of an operation to its reply. Throws ServiceError. `record` writes the entry of
 * the audit log, which the guards otherwise write after the reply.
 */
export type Handler<V extends RpcOperation> = (
  request: RpcRequest<V>,
  blobs: Uint8Array[],
  record?: (response: RpcResponse<V>) => Promise<void>,
) => Promise<Reply<V>>

/** For each operation its handler. The routes themselves answer `change.outcome` (changes.ts). */
export type Handlers = { [V in Exclude<RpcOperation, 'change.outcome'>]: Handler<V> }

/** For each stream: a function from its parsed request to its items. Throws ServiceError before the first items. */
export type StreamHandlers = { [S in StreamName]: (request: StreamRequest<S>) => Items<S> }

type AnyHandler = (services: Services, request: object, context?: HandlerContext<object>) => unknown

/** The handlers of these messages, each bound. */
const boundHandlers = <Bound>(messages: object, bind: (handler: AnyHandler) => unknown): Bound =>
  Object.fromEntries(
    Object.entries(HANDLERS)
      .filter(([name]) => Object.hasOwn(messages, name))
      .map(([name, handler]) => [name, bind(handler as AnyHandler)]),
  ) as Bound

/** Creates the handlers of all operations. */
export function handlers(services: Services, sources: HandlerSources): Handlers {
  const verifyAudit = auditVerifier(services)
  const openSession = sessionOpener(services, sources.provider)
  return boundHandlers(
    RPC_OPERATIONS,
    handler =>
      async (request: object, blobs: Uint8Array[], record = async () => {}) => {
        const replyBlobs: Uint8Array[] = []
        const context = { ...sources, verifyAudit, openSession, blobs, replyBlobs, record }
        return { response: await handler(services, request, context), blobs: replyBlobs }
      },
  )
}

/** Creates the handlers of all streams. */
export const streamHandlers = (services: Services): StreamHandlers =>
  boundHandlers(STREAMS, handler => (request: object) => handler(services, request))
