/** Binds the handlers of messages to their services, and their blobs to replies. */
import { RPC_OPERATIONS, STREAMS } from '../../../contract/operations/messages.ts'
import { sessionOpener } from '../../operations/access/sessions.ts'
import { auditVerifier } from '../../operations/audit-log/audit-verification.ts'
import { HANDLERS, type HandlerContext, type HandlerSources } from '../../operations/handlers.ts'
import type { Services } from '../../operations/services.ts'

/** A parsed request, or a response. */
export type Fields = Record<string, unknown>

/**
 * A function from the parsed request and blobs of an operation to its response and its blobs. Throws ServiceError. `record`
 * writes the entry of the audit log, which the guards otherwise write after the reply.
 */
export type Handler = (
  request: Fields,
  blobs: Uint8Array[],
  record?: (response: Fields) => Promise<void>,
) => Promise<{ response: Fields; blobs?: Uint8Array[] }>

/** A function from the parsed request of a stream to its items. Throws ServiceError before the first items. */
type StreamHandler = (request: Fields) => AsyncGenerator<unknown[], Fields>

/** By the names of messages. The routes themselves answer `change.outcome` (changes.ts). */
export type Handlers = Readonly<Record<string, Handler>>
export type StreamHandlers = Readonly<Record<string, StreamHandler>>

type Unbound = (services: Services, request: Fields, context?: HandlerContext<never>) => unknown

const boundHandlers = <Bound>(messages: object, bind: (handler: Unbound) => Bound): Record<string, Bound> =>
  Object.fromEntries(
    Object.entries(HANDLERS)
      .filter(([name]) => Object.hasOwn(messages, name))
      .map(([name, handler]) => [name, bind(handler as Unbound)]),
  )

/** Creates the handlers of all operations. */
export function handlers(services: Services, sources: HandlerSources): Handlers {
  const verifyAudit = auditVerifier(services)
  const openSession = sessionOpener(services, sources.provider)
  return boundHandlers(RPC_OPERATIONS, handler => async (request, blobs, record = async () => {}) => {
    const replyBlobs: Uint8Array[] = []
    const context = { ...sources, verifyAudit, openSession, blobs, replyBlobs, record }
    return { response: (await handler(services, request, context)) as Fields, blobs: replyBlobs }
  })
}

/** Creates the handlers of all streams. */
export const streamHandlers = (services: Services): StreamHandlers =>
  boundHandlers(STREAMS, handler => request => handler(services, request) as ReturnType<StreamHandler>)
