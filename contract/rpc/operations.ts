/**
 * RPC operations of core: a table with the schemas of each request (`question`) and response (`answer`).
 * A message is a frame (frame.ts). The schemas describe its header; comments list its blobs.
 */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { AttributesSchema, RequestedAttributesSchema } from '../model/attributes.ts'
import { BoxSchema } from '../model/bbox.ts'
import { CameraId } from '../model/camera.ts'
import { FaceSchema, MatchSchema } from '../model/face.ts'
import { FACE_DETAILS } from '../model/face-details.ts'
import { GalleryChangeSchema, GalleryName, OwnerId } from '../model/gallery.ts'
import { HistoryFilter } from '../model/history.ts'
import { MetaEntrySchema } from '../model/meta.ts'
import { FacePersonId } from '../model/person.ts'
import { ScopeSchema } from '../model/scope.ts'
import { SelectionSchema } from '../model/selector.ts'
import { TokenHash, TokenId } from '../model/token.ts'
import { ALERT_OPERATIONS } from './alert-operations.ts'
import { CAMERA_OPERATIONS } from './camera-operations.ts'
import { change, changing, Deleted, empty, owned, page } from './fields.ts'
import { GALLERY_OPERATIONS } from './gallery-operations.ts'
import { OPERATOR_OPERATIONS } from './operator-operations.ts'
import { PERSON_OPERATIONS } from './person-operations.ts'

const FacePage = z.strictObject({
  faces: z.array(FaceSchema),
  /** Whether there are faces above the first id, and below the last. */
  newer: z.boolean(),
  older: z.boolean(),
})

/** A thumbnail without its pixels: its size, and the box of the face on it. */
const ThumbnailSchema = z.strictObject({ width: z.int(), height: z.int(), face: BoxSchema })

/** Analysis of one photo. Blobs of the response: for each selected face its chip, then its thumbnail. */
export const PhotoAnalysisSchema = z.strictObject({
  orientation: z.int().min(1).max(8),
  faces: z.array(BoxSchema),
  limited: z.boolean(),
  /** Why there are no faces, if the photo shows faces that are too small. */
  reason: z.string().optional(),
  selected: z.array(
    z.strictObject({
      box: BoxSchema,
      thumbnail: ThumbnailSchema,
      ...FACE_DETAILS,
    }),
  ),
})

/** All operations: schemas of the request (`question`) and of the response (`answer`). */
export const RPC_OPERATIONS = {
  /** Checks that this core is ready. SERVICE_UNAVAILABLE when it is not. */
  ready: { question: empty, answer: empty },

  /**
   * Looks up a token: its owner, its scope, and whether attributes are on (`gae`). The edge may cache the response for
   * `trustMs` from the time of its request; 0 is for one request only. AUTH_FAILED for an unknown token; RATE_LIMITED.
   */
  caller: {
    question: z.strictObject({ tokenHash: TokenHash }),
    answer: z.strictObject({
      owner: OwnerId,
      token: TokenId,
      scope: ScopeSchema,
      gae: z.boolean(),
      trustMs: z.int().min(0),
    }),
  },

  /** The networks that edges use, of core's pack. Blob of the response: the vision file (models/vision-file.ts). */
  'pack.vision': { question: empty, answer: empty },

  /** Fetches a photo from a public URL. Counts to the owner's concurrent fetches. Blob of the response: the photo file. */
  'photo.fetch': { question: z.strictObject({ ...owned, url: z.string() }), answer: empty },

  /** Analyses a photo that is too large for the edge. Blob of the request: the photo file. */
  'photo.analyze': {
    question: z.strictObject({ selection: SelectionSchema.optional(), param: z.string() }),
    answer: PhotoAnalysisSchema,
  },

  /** Stores all faces or none. Blobs: for each face its chip, then its thumbnail (8-bit RGB). */
  enrol: change({
    question: z.strictObject({
      ...changing,
      photo: z.string(),
      photoHash: z.string(),
      meta: z.string(),
      galleries: z.array(GalleryName),
      /** Microseconds since 1970. Default: now. */
      timestamp: z.number().optional(),
      detectorInfo: z.unknown().optional(),
      camera: CameraId.optional(),
      /** Attributes to estimate and store. BAD_PARAM when attributes are requested and their estimation is off. */
      asked: RequestedAttributesSchema.optional(),
      idempotency: z.strictObject({ key: z.string(), requestHash: z.string() }).optional(),
      /** Includes quality and liveness if they are to be stored. */
      faces: PhotoAnalysisSchema.shape.selected,
    }),
    answer: z.strictObject({ faces: z.array(FaceSchema) }),
    audit: ({ galleries, camera }, { faces }) => ({ faces: faces.map(({ id }) => id), galleries, camera }),
  }),

  /**
   * Estimates age, gender and emotions. BAD_PARAM when attributes are off. Blobs: the chips, then the thumbnails if emotions
   * are requested.
   */
  attributes: {
    question: z.strictObject({ asked: RequestedAttributesSchema, thumbnails: z.array(ThumbnailSchema) }),
    answer: z.strictObject({ faces: z.array(AttributesSchema) }),
  },

  /** 1:N search. One list of matches per chip. Blobs: the chips. */
  identify: {
    question: z.strictObject({
      ...owned,
      gallery: GalleryName,
      threshold: z.number().min(0).max(1),
      limit: z.int().min(1).max(LIMITS.matches),
      strict: z.boolean().optional(),
    }),
    answer: z.strictObject({ matches: z.array(z.array(MatchSchema)), live: z.int(), total: z.int() }),
  },

  /** 1:1 comparisons. confidences[i][j] is of first[i] and second[j]. Blobs: the chips of first, then of second. */
  compare: {
    question: z.strictObject({ first: z.int().min(0) }),
    answer: z.strictObject({ confidences: z.array(z.array(z.number())) }),
  },

  'face.get': {
    question: z.strictObject({ ...owned, id: FaceId }),
    answer: z.strictObject({ face: FaceSchema }),
  },
  /** Changes the given fields. BAD_PARAM without any change when a gallery does not exist. */
  'face.update': change({
    question: z.strictObject({
      ...changing,
      id: FaceId,
      meta: z.string().optional(),
      personId: FacePersonId.optional(),
      galleries: GalleryChangeSchema.optional(),
    }),
    answer: z.strictObject({ face: FaceSchema }),
    audit: ({ id, meta, personId, galleries }) => ({
      face: id,
      meta: meta === undefined ? undefined : 'changed',
      person: typeof personId === 'string' ? 'a text' : personId,
      ...(galleries && { [`galleries ${galleries.kind}`]: galleries.names }),
    }),
  }),
  'face.delete': change({
    question: z.strictObject({ ...changing, id: FaceId }),
    answer: empty,
    audit: ({ id }) => ({ face: id }),
    disk: 'frees',
  }),
  /** Faces of all galleries or of one that meet a filter. NOT_FOUND when the gallery does not exist. */
  'faces.page': {
    question: z.strictObject({
      ...owned,
      ...page,
      gallery: GalleryName.optional(),
      meta: z.string().optional(),
      filter: HistoryFilter.optional(),
    }),
    answer: FacePage,
  },
  /** Deletes all faces with exactly this meta, in all galleries or in one. NOT_FOUND when the gallery does not exist. */
  'faces.delete-with-meta': change({
    question: z.strictObject({ ...changing, meta: z.string(), gallery: GalleryName.optional() }),
    answer: Deleted,
    audit: ({ gallery }, { faces }) => ({ gallery, faces, count: faces.length }),
    disk: 'frees',
  }),
  /** Metas in descending order of the ids of their first faces. The page refers to these ids. */
  'metas.page': {
    question: z.strictObject({ ...owned, ...page, gallery: GalleryName.optional() }),
    answer: z.strictObject({
      metas: z.array(MetaEntrySchema),
      newer: z.boolean(),
      older: z.boolean(),
    }),
  },

  ...PERSON_OPERATIONS,
  ...CAMERA_OPERATIONS,
  ...GALLERY_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...OPERATOR_OPERATIONS,
} as const

export type RpcOperation = keyof typeof RPC_OPERATIONS
export type RpcRequest<V extends RpcOperation> = z.infer<(typeof RPC_OPERATIONS)[V]['question']>
export type RpcResponse<V extends RpcOperation> = z.infer<(typeof RPC_OPERATIONS)[V]['answer']>

/** Operations that change stored data. */
export type ChangingOperation = {
  [V in RpcOperation]: RpcRequest<V> extends { by: string } ? V : never
}[RpcOperation]

/** Whether a request can be repeated safely: it changes nothing, or it has an idempotency key. */
export const isRepeatable = (question: RpcRequest<RpcOperation>): boolean =>
  !('by' in question) || ('idempotency' in question && question.idempotency !== undefined)

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

/** Request header: label of the embedder that the edge makes chips for. */
export const EMBEDDER_HEADER = 'x-mien-embedder'

/** Response header of a draining core. The request was not executed. */
export const DRAINING_HEADER = 'x-mien-going'

/** Path of the POST route of an operation. */
export const rpcPath = (verb: RpcOperation): string => `/internal/${verb}`
