/** The messages between edge and core by name: those of the operations of the API, and internal ones. */
import * as z from 'zod'
import { BoxSchema } from '../model/bbox.ts'
import { DECLARATIONS } from '../operations/table.ts'
import { INTERNAL_MESSAGES } from './internal.ts'
import type { CallMessage, Message, StreamMessage } from './message.ts'

type AnyMessage =
  | (typeof DECLARATIONS)[keyof typeof DECLARATIONS]['core']
  | (typeof INTERNAL_MESSAGES)[keyof typeof INTERNAL_MESSAGES]

type Calls = { [M in Extract<AnyMessage, { kind: 'call' }> as M['name']]: M }
type Streams = { [M in Extract<AnyMessage, { kind: 'stream' }> as M['name']]: M }

const MESSAGES: readonly Message[] = [
  ...Object.values(INTERNAL_MESSAGES),
  ...Object.values(DECLARATIONS).map(({ core }) => core),
] as readonly Message[]

const byName = (kind: Message['kind']) =>
  Object.fromEntries(MESSAGES.filter(one => one.kind === kind).map(one => [one.name, one]))

export type RpcOperation = keyof Calls
export type RpcRequest<V extends RpcOperation> = z.infer<Calls[V]['request']>
export type RpcResponse<V extends RpcOperation> = z.infer<Calls[V]['response']>

/** Operations with one request and one response. */
export const RPC_OPERATIONS = byName('call') as unknown as Readonly<Record<RpcOperation, CallMessage>>

export type StreamName = keyof Streams
export type StreamRequest<S extends StreamName> = z.infer<Streams[S]['request']>
export type StreamItem<S extends StreamName> = z.infer<Streams[S]['item']>
export type StreamEnd<S extends StreamName> = z.infer<Streams[S]['end']>

/** Lists without a bound. */
export const STREAMS = byName('stream') as unknown as Readonly<Record<StreamName, StreamMessage>>

/** Operations that change stored data. */
export type ChangingOperation = {
  [V in RpcOperation]: RpcRequest<V> extends { by: string } ? V : never
}[RpcOperation]

/** Whether a request can be repeated safely: it changes nothing, or it has an idempotency key. */
export const isRepeatable = (request: object): boolean =>
  !('by' in request) || ('idempotency' in request && request.idempotency !== undefined)

/** Request of an operation that changes data, without the token id. */
export type Change<V extends ChangingOperation> = Omit<RpcRequest<V>, 'by'>

/** Header of an error response of core. The edge returns the error to the caller. */
export const RefusalSchema = z.strictObject({
  code: z.string(),
  detail: z.strictObject({
    reason: z.string().optional(),
    param: z.string().optional(),
    value: z.unknown().optional(),
    faces: z.array(BoxSchema).optional(),
    retryAfter: z.int().optional(),
  }),
})

/** One line of a stream. The schemas of the stream then parse the items and the end. */
export const LineSchema = z.union([
  z.strictObject({ items: z.array(z.unknown()) }),
  z.strictObject({ end: z.unknown() }),
])

/** Content type of a stream. */
export const LINES_TYPE = 'application/x-ndjson'

/** Request header: label of the embedder that the edge makes chips for. */
export const EMBEDDER_HEADER = 'x-mien-embedder'

/** Response header of a draining core. The request was not executed. */
export const DRAINING_HEADER = 'x-mien-going'

/** Path of the POST route of an operation. */
export const rpcPath = (operation: RpcOperation): string => `/internal/${operation}`

/** Path of the POST route of a stream. */
export const streamPath = (stream: StreamName): string => `/internal/stream/${stream}`
