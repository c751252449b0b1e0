/** The declaration of an operation of the API. Routes, documents, permissions, metrics, audit and tests derive from it. */
import * as z from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { Permission, Scope } from '../model/token.ts'
import type { JsonSchema } from '../parameters/json-schema.ts'
import type { CallMessage, Message, StreamMessage } from '../rpc/message.ts'

/** API versions. Paths without a version belong to `v1`. */
export const VERSIONS = ['v0', 'v1'] as const
export type Version = (typeof VERSIONS)[number]

/** Groups of operations in the OpenAPI documents, in their order, with their descriptions. */
export const TOPICS = {
  Photos: 'Detect faces on photos, compare faces, and search for people.',
  Faces: 'Stored faces.',
  Galleries: 'Named sets of faces.',
  Persons: 'People whose faces are stored.',
  History: 'Events: faces posted by cameras.',
  Cameras: 'Cameras that post faces.',
  Alerts: 'Rules that post messages about faces of cameras to webhooks.',
  Tokens: 'Tokens of the owner.',
  Users: 'People with access to the data of the owner through the console.',
  Service: 'The audit log, the state of the service, and its settings.',
} as const
export type Topic = keyof typeof TOPICS

/** The token or session of a request, as core knows it. */
export interface Caller {
  owner: string
  /** The id of the token or session. */
  token: string
  scope: Scope
  /** The caller may request gender, age and emotions. */
  gae: boolean
  /** New faces get persons: their quality decides whether. */
  persons?: boolean
  /** The user whose session names the caller. Absent for a token. */
  user?: { id: string; name: string }
  /** Core records who looks at data. */
  records?: boolean
}

/** A request of the API, as far as messages and answers depend on it. */
export interface ApiCall<Params> {
  params: Params
  caller: Caller
  /** Origin of links in the answer. */
  origin: string
  /** Path of the request without its query. Links to other pages start with it. */
  path: string
}

/** Documentation of an operation. */
export interface Description {
  method: 'get' | 'post' | 'put' | 'delete'
  /** Path without the version. `:gallery` is a parameter with this name. */
  path: string
  /** Other paths of the operation, which some clients use. */
  aliases?: readonly string[]
  /**
   * Method of the clients, for example `cameras.update`; in brackets the fields of the body that are arguments of their own:
   * `persons.merge(person_ids)`. Two operations of one method differ by a gallery. Absent: no method, or a hand-written one.
   */
  client?: string
  /** Permission that the token must grant. Checked before the body is read. */
  permission: Permission
  /** A few words without a full stop. */
  summary: string
  /** Documentation beyond the parameters, in Markdown. */
  details?: string
  /** Parameters that clients send and the operation does not use. They are not reported as ignored. */
  unused?: readonly string[]
  /** Status of a successful response. Default: 200, or 204 without a body. */
  status?: 201
  /** Schema of its body; absent without a body. */
  answer?: z.ZodType
  /** Content type of the body. Default: JSON. */
  answerType?: string
  /** Body schema of v1 where it has more fields. Default: `answer`. */
  answerOfV1?: z.ZodType
  /** An answer of v1. Documents of v0 omit its attributes. */
  example?: unknown
  /** Schemas of the operation's own request headers, each with a description. */
  requestHeaders?: Readonly<Record<string, JsonSchema & { description: string }>>
  /** Descriptions of the operation's own response headers. */
  headers?: Readonly<Record<string, string>>
  /** Error codes beyond the codes of every operation. */
  refusals?: readonly ErrorCode[]
}

type Request<M extends Message> = Omit<z.infer<M['request']>, 'owner' | 'by'>
type Response<M extends Message> = M extends CallMessage ? z.infer<M['response']> : never
type Item<M extends Message> = M extends StreamMessage ? z.infer<M['item']> : never
type End<M extends Message> = M extends StreamMessage ? z.infer<M['end']> : never

/** The message to core, and how the edge makes it and the answer, unless edge/operations has a handler. */
interface Forwarding<Params, M extends Message> {
  core: M
  /** Fields of the request beyond `owner` and `by`. Default: the parameters, with names as `maxId` for `max_id`. */
  toRequest?(call: ApiCall<Params>): Request<M>
  /**
   * Body of the answer. Default: the field of the response whose schema is the answer; the only field as `results` of a list; else
   * the response.
   */
  toBody?(response: Response<M>, call: ApiCall<Params>): unknown
  /** One of the `results` of a stream. Default: the item. */
  toItem?(item: Item<M>, call: ApiCall<Params>): unknown
  /** Fields after the `results` of a stream. Default: none. */
  toTail?(end: End<M>, last: Item<M> | undefined, call: ApiCall<Params>): Record<string, unknown>
}

/** A declared operation. `parameters` validates path, query and body. */
export interface Declaration<P extends z.ZodObject = z.ZodObject, M extends Message = Message>
  extends Omit<Description, 'status'>,
    Forwarding<z.output<P>, M> {
  topic: Topic
  parameters: P
  status: 200 | 201 | 204
}

/** Whether the operation changes stored data or sends a recorded file: a repeat could do so twice. */
export const isChanging = ({ core }: Pick<Declaration, 'core'>): boolean => core.audit !== undefined

/** Returns a function that declares an operation of this topic. Its name is its key in the record of its subject. */
export const operationOf =
  (topic: Topic) =>
  <M extends Message, P extends z.ZodRawShape = Record<never, never>>({
    parameters,
    ...declaration
  }: Description & Forwarding<z.output<z.ZodObject<P>>, M> & { parameters?: P }): Declaration<
    z.ZodObject<P>,
    M
  > => ({
    status: declaration.answer ? 200 : 204,
    ...declaration,
    topic,
    parameters: z.object(parameters ?? ({} as P)),
  })

/** The answer of a list: `results` of this schema. */
export const resultsOf = <Item extends z.ZodType>(item: Item) => z.strictObject({ results: z.array(item) })
