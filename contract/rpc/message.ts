/**
 * Declares the messages between edge and core. A message is a frame (frame.ts). The schemas describe its header; comments list
 * its blobs.
 */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { FACE_LIMITS } from '../limits/faces.ts'
import { OwnerId } from '../model/gallery.ts'
import { TokenId } from '../model/token.ts'
import { Positive } from '../scalars.ts'

export const ofOwner = { owner: OwnerId }

/** Fields of requests that change data. `by` is the id of the caller's token, for the audit log. */
const changing = { ...ofOwner, by: TokenId }

/**
 * Field of requests that show data of people: the viewer. Absent while views are not recorded, and from earlier edges. It is not
 * called `by`, because these requests can be repeated.
 */
const viewing = { viewer: z.strictObject({ owner: OwnerId, token: TokenId }).optional() }

/** One page of a list in descending order of ids. */
export const page = {
  maxId: FaceId.optional(),
  minId: FaceId.optional(),
  limit: Positive.max(FACE_LIMITS.pageSize),
}

/** Whether there are items above the first id of a page, and below its last. */
export const neighbours = { newer: z.boolean(), older: z.boolean() }

/** A response with the ids of the deleted faces. */
export const deletedFaces = { faces: z.array(FaceId) }

/**
 * Record of a change in the audit log: ids and numbers, never texts of callers. Values of `gallery` and `galleries...` are names;
 * core records their numbers, because a name can name a person. A long list of `faces` is split.
 */
export type AuditSubject = Readonly<
  Record<string, number | string | boolean | readonly (number | string)[] | undefined>
>

/** Whether an operation `writes` to the disk, or `frees` space on it. An operation that frees space runs on a full disk. */
type DiskUse = 'writes' | 'frees'

/** How a restore repeats a deletion from its entry of the audit log; core/backup/replay.ts has a function for each. */
export type Replay =
  | 'faces'
  | 'person'
  | 'merge'
  | 'split'
  | 'face galleries'
  | 'gallery'
  | 'camera'
  | 'alert'
  | 'alert secret'
  | 'browser'
  | 'token'
  | 'user'
  | 'passkeys'
  | 'evidence key'

type Strict<Shape extends z.ZodRawShape> = z.ZodObject<Shape, z.core.$strict>

/** A request and its response. */
export interface CallMessage<
  Name extends string = string,
  Request extends z.ZodObject = z.ZodObject,
  Response extends z.ZodObject = z.ZodObject,
> {
  readonly kind: 'call'
  readonly name: Name
  readonly request: Request
  readonly response: Response
  readonly disk?: DiskUse
  /** Whether a request of an operation that writes frees space. */
  frees?(request: z.infer<Request>): boolean
  readonly replay?: Replay
  /** Action of the caller, in the past tense, as the audit log writes it after a name. */
  readonly words?: string
  /** Present if the operation changes data. Undefined: no entry. */
  audit?(request: z.infer<Request>, response: z.infer<Response>): AuditSubject | undefined
  /**
   * Present if the operation shows data of people. Returns the record in the audit log, unless the setting is off. Undefined: no
   * record.
   */
  views?(request: z.infer<Request>, response: z.infer<Response>): AuditSubject | undefined
}

/**
 * A request for a list without a bound. The response consists of lines of JSON: each holds some items, the last one the end. A
 * response without an end was interrupted.
 */
export interface StreamMessage<
  Name extends string = string,
  Request extends z.ZodObject = z.ZodObject,
  Item extends z.ZodType = z.ZodType,
  End extends z.ZodObject = z.ZodObject,
> {
  readonly kind: 'stream'
  readonly name: Name
  readonly request: Request
  readonly item: Item
  readonly end: End
  readonly words?: string
  /** As `views` of a call, before the first item. */
  views?(request: z.infer<Request>): AuditSubject | undefined
  /** Record that the audit log always gets, after the first item is made and before it is sent. The request has `by`. */
  audit?(request: z.infer<Request>): AuditSubject
}

export type Message = CallMessage | StreamMessage

interface CallFields<Request, Response> {
  request: Request
  response: Response
  /** Absent: the operation neither writes data nor frees space. */
  disk?: DiskUse
}

/** An operation without an owner. */
export const call = <const Name extends string, Q extends z.ZodRawShape, R extends z.ZodRawShape>(
  name: Name,
  { request, response, disk }: CallFields<Q, R>,
): CallMessage<Name, Strict<Q>, Strict<R>> => ({
  kind: 'call',
  name,
  request: z.strictObject(request),
  response: z.strictObject(response),
  disk,
})

interface ViewFields<Q extends z.ZodRawShape, R extends z.ZodRawShape> extends CallFields<Q, R> {
  words: string
  views(request: z.infer<Strict<typeof viewing & Q>>, response: z.infer<Strict<R>>): AuditSubject | undefined
}

/** An operation that shows data of people. */
export const view = <const Name extends string, Q extends z.ZodRawShape, R extends z.ZodRawShape>(
  name: Name,
  { request, words, views, ...rest }: ViewFields<Q, R>,
): CallMessage<Name, Strict<typeof viewing & Q>, Strict<R>> => ({
  ...call(name, { ...rest, request: { ...viewing, ...request } }),
  words,
  views,
})

/** An operation on the data of an owner that changes nothing. */
export const ownedCall = <const Name extends string, Q extends z.ZodRawShape, R extends z.ZodRawShape>(
  name: Name,
  { request, ...rest }: CallFields<Q, R>,
) => call(name, { ...rest, request: { ...ofOwner, ...request } })

interface ChangeFields<Q extends z.ZodRawShape, R extends z.ZodRawShape> extends CallFields<Q, R> {
  words: string
  audit(request: z.infer<Strict<typeof changing & Q>>, response: z.infer<Strict<R>>): AuditSubject | undefined
  /** Absent: a restore does not repeat it. */
  replay?: Replay
}

/** An operation that changes data: its record in the audit log, `disk` if it only deletes, and its repetition by a restore. */
export const change = <const Name extends string, Q extends z.ZodRawShape, R extends z.ZodRawShape>(
  name: Name,
  { request, disk = 'writes', words, audit, replay, ...rest }: ChangeFields<Q, R>,
): CallMessage<Name, Strict<typeof changing & Q>, Strict<R>> => ({
  ...call(name, { ...rest, disk, request: { ...changing, ...request } }),
  words,
  audit,
  replay,
})

type Viewed<Q extends z.ZodRawShape> = z.infer<Strict<typeof ofOwner & typeof viewing & Q>>

/** A list of an owner without a bound. `end` is the record after the items. */
export const stream = <
  const Name extends string,
  Q extends z.ZodRawShape,
  Item extends z.ZodType,
  End extends z.ZodRawShape = Record<never, never>,
>(
  name: Name,
  {
    request,
    item,
    end,
    words,
    views,
    audit,
  }: {
    request: Q
    item: Item
    end?: End
    words?: string
    views?(request: Viewed<Q>): AuditSubject | undefined
    audit?(request: Viewed<Q>): AuditSubject
  },
): StreamMessage<Name, Strict<typeof ofOwner & typeof viewing & Q>, Item, Strict<End>> => ({
  kind: 'stream',
  name,
  words,
  ...(views && { views }),
  ...(audit && { audit }),
  request: z.strictObject({ ...ofOwner, ...viewing, ...request }),
  item,
  end: z.strictObject(end ?? ({} as End)),
})
