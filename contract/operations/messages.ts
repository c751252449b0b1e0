/** The messages between edge and core by name: messages of the API's operations, and internal ones. */
import * as z from 'zod'
import { PROVIDER_LIMITS } from '../limits/tokens.ts'
import { BoxSchema } from '../model/bbox.ts'
import { checkedEnrolment, preparation } from '../model/enrolment.ts'
import { OwnerId } from '../model/gallery.ts'
import { PhotoAnalysisSchema, SelectionSchema, ThumbnailSchema } from '../model/photo-analysis.ts'
import { ScopeSchema, TokenHash, TokenId } from '../model/token.ts'
import { NAME_LENGTH, UserId } from '../model/user.ts'
import { type CallMessage, call, type Message, ownedCall, type StreamMessage } from '../rpc/message.ts'
import { Natural } from '../scalars.ts'
import { DECLARATIONS } from './table.ts'

/** Messages without an operation of the API: the edge needs them for operations of several subjects. */
const INTERNAL_MESSAGES = {
  /** Checks that this core is ready, and tells the name of its OpenID provider. SERVICE_UNAVAILABLE when it is not. */
  ready: call('ready', { request: {}, response: { provider: z.string().optional() } }),

  /**
   * Looks up a token: its owner, its scope, and whether attributes (`gae`) and the identification of persons are on. The edge may
   * cache the response for `trustMs` from the time of its request; 0 is for one request only. AUTH_FAILED for an unknown token;
   * RATE_LIMITED.
   */
  caller: call('caller', {
    request: { tokenHash: TokenHash },
    response: {
      owner: OwnerId,
      token: TokenId,
      scope: ScopeSchema,
      gae: z.boolean(),
      persons: z.boolean().optional(),
      /** The session of a user. Only a cookie may name it. */
      user: z.strictObject({ id: UserId, name: z.string() }).optional(),
      /** Views are recorded: the edge says who looks. */
      records: z.boolean().optional(),
      trustMs: Natural,
    },
  }),

  /**
   * Opens a session by a one-time link, a passkey, or an OpenID provider. The edge keeps the session's text. `options` in the
   * response: the browser must ask for a passkey, and send it as the `credential`. An invitation needs a new passkey. `location`:
   * the browser must go there, keep the `attempt` secret, and return with the provider's answer. AUTH_FAILED; SERVICE_UNAVAILABLE
   * when too many wait.
   */
  sessionOpen: call('session.open', {
    request: {
      session: TokenHash,
      /** Of the page, to which passkeys belong. */
      origin: z.url(),
      code: TokenHash.optional(),
      credential: z.unknown().optional(),
      /** Browser and system that make a new passkey. */
      device: z.string().max(NAME_LENGTH).optional(),
      /** The answer is "" to begin. Later it is the query of the address to which the provider sent the browser. */
      provider: z
        .strictObject({
          attempt: z.string().optional(),
          answer: z.string().max(PROVIDER_LIMITS.answerLength),
        })
        .optional(),
    },
    response: {
      options: z.unknown().optional(),
      location: z.url().optional(),
      attempt: z.string().optional(),
    },
    disk: 'frees',
  }),

  /**
   * What became of a change whose answer was lost, by the nonce of its signature. Waits while core executes it. A change that did not
   * arrive is refused from now on, and counts as not executed. `unknown`: core started within the time of a change, or no longer has
   * the answer. Blob of the response, with `status`: the answer.
   */
  changeOutcome: call('change.outcome', {
    request: { nonce: z.hex().length(32), signedAt: z.int() },
    response: { outcome: z.enum(['answered', 'not executed', 'unknown']), status: z.int().optional() },
  }),

  /** Fetches a photo from a public URL. Counts to the owner's concurrent fetches. Blob of the response: the photo file. */
  photoFetch: ownedCall('photo.fetch', { request: { url: z.string() }, response: {} }),

  /** Analyses a photo that is too large for the edge. Blob of the request: the photo file. */
  photoAnalyze: call('photo.analyze', {
    request: { selection: SelectionSchema.optional(), param: z.string() },
    response: PhotoAnalysisSchema.shape,
  }),

  /**
   * Prepares a group of faces of an enrolment with several messages. `enrol` ends the enrolment. Core checks the enrolment, embeds the
   * faces, and keeps them in memory for FACE_LIMITS.preparedMs. SERVICE_UNAVAILABLE when too many are prepared. `isRepeated`: an
   * earlier enrolment has the idempotency key; nothing was prepared. Blobs: for each face its chip, then its thumbnail.
   */
  facesPrepare: ownedCall('faces.prepare', {
    request: {
      ...checkedEnrolment,
      ...preparation,
      /** Place of the group's first face among all. */
      from: Natural,
      thumbnails: z.array(ThumbnailSchema),
    },
    response: { isRepeated: z.boolean() },
    disk: 'writes',
  }),
}

type AnyMessage =
  | (typeof DECLARATIONS)[keyof typeof DECLARATIONS]['core']
  | (typeof INTERNAL_MESSAGES)[keyof typeof INTERNAL_MESSAGES]

type Calls = { [M in Extract<AnyMessage, { kind: 'call' }> as M['name']]: M }
type Streams = { [M in Extract<AnyMessage, { kind: 'stream' }> as M['name']]: M }

const MESSAGES = [
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
type ChangingOperation = {
  [V in RpcOperation]: RpcRequest<V> extends { by: string } ? V : never
}[RpcOperation]

/** Whether an operation changes data, or spends a link of a sign-in: it must not be executed twice. */
export const isChange = (operation: RpcOperation): boolean =>
  RPC_OPERATIONS[operation].audit !== undefined || operation === 'session.open'

/** Whether a request can be repeated safely: it changes nothing, or it has an idempotency key. */
export const isRepeatable = (operation: RpcOperation, request: object): boolean =>
  !isChange(operation) || ('idempotency' in request && request.idempotency !== undefined)

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

/** Path of the POST route of an operation. */
export const rpcPath = (operation: RpcOperation): string => `/internal/${operation}`

/** Parameter in the query of a change: milliseconds after its arrival in which core may begin a transaction. The signature covers it. */
export const WITHIN_PARAM = 'within'

/** Path of the POST route of a stream. */
export const streamPath = (stream: StreamName): string => `/internal/stream/${stream}`
