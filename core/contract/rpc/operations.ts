/**
 * What edge asks of core: one table of verbs, each with the shape of its question and of its answer.
 * A message is a frame (frame.ts): the shapes here are its header, the blobs are listed in a comment.
 */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { AttributesSchema, RequestedAttributesSchema } from '../model/attributes.ts'
import { BoxSchema } from '../model/bbox.ts'
import { CameraId, CameraSchema } from '../model/camera.ts'
import { FaceSchema, MatchSchema } from '../model/face.ts'
import { GalleryChangeSchema, GalleryName, GallerySchema, OwnerId } from '../model/gallery.ts'
import { LivenessScore } from '../model/liveness.ts'
import { MetaEntrySchema } from '../model/meta.ts'
import { FacePersonId, PersonId, PersonSchema } from '../model/person.ts'
import { QualitySchema } from '../model/quality.ts'
import { NewRetentionDays } from '../model/retention.ts'
import { ScopeSchema } from '../model/scope.ts'
import { SelectionSchema } from '../model/selector.ts'
import { TokenId } from '../model/token.ts'

const owned = { owner: OwnerId }

/** Of what changes something: also the id of the token that asks for it, which the audit log names. */
const changing = { ...owned, by: TokenId }

/** One page of a list that runs from the newest id down. */
const page = {
  maxId: FaceId.optional(),
  minId: FaceId.optional(),
  limit: z.int().min(1).max(LIMITS.pageSize),
}

const FacePage = z.strictObject({
  faces: z.array(FaceSchema),
  /** There are faces above the first and below the last of these. */
  newer: z.boolean(),
  older: z.boolean(),
})

/** A thumbnail without its pixels: its size, and where the face's box lies on it. */
const ThumbnailSchema = z.strictObject({ width: z.int(), height: z.int(), face: BoxSchema })

/** What a look at one photo gave. Blobs of an answer: for each selected face its chip, then its thumbnail. */
export const PhotoAnalysisSchema = z.strictObject({
  orientation: z.int().min(1).max(8),
  faces: z.array(BoxSchema),
  limited: z.boolean(),
  selected: z.array(
    z.strictObject({
      box: BoxSchema,
      thumbnail: ThumbnailSchema,
      quality: QualitySchema.optional(),
      liveness: LivenessScore.optional(),
    }),
  ),
})

const empty = z.strictObject({})

/** What may be set of a camera at any time. */
const CameraChangeSchema = CameraSchema.omit({ id: true, detector: true }).extend({
  retention_days: NewRetentionDays.optional(),
})

const GalleryAnswer = z.strictObject({ gallery: GallerySchema })

/** Ids of the faces that are gone. */
const Deleted = z.strictObject({ faces: z.array(FaceId) })

const CameraAnswer = z.strictObject({ camera: CameraSchema })

export const VERBS = {
  /** Can this core work? SERVICE_UNAVAILABLE when not. */
  ready: { question: empty, answer: empty },

  /**
   * Whose token is this, what may it do, and may attributes be asked for (`gae`)? The edge may believe it for `trustMs`
   * from when it asked, and of 0 for this request alone. AUTH_FAILED when nobody's; RATE_LIMITED.
   */
  caller: {
    question: z.strictObject({ tokenHash: z.string().regex(/^[0-9a-f]{64}$/) }),
    answer: z.strictObject({
      owner: OwnerId,
      token: TokenId,
      scope: ScopeSchema,
      gae: z.boolean(),
      trustMs: z.int().min(0),
    }),
  },

  /** Fetch a photo from a public URL, as one of the owner's share of fetches. Blob of the answer: its bytes. */
  'photo.fetch': { question: z.strictObject({ ...owned, url: z.string() }), answer: empty },

  /** Look at a photo that does not fit the edge. Blob of the question: its bytes. */
  'photo.look': {
    question: z.strictObject({ selection: SelectionSchema.optional(), param: z.string() }),
    answer: PhotoAnalysisSchema,
  },

  /** Store faces: all of them or none. Blobs: for each face its chip, then its thumbnail (8-bit RGB). */
  enrol: {
    question: z.strictObject({
      ...changing,
      photo: z.string(),
      photoHash: z.string(),
      meta: z.string(),
      galleries: z.array(GalleryName),
      /** Microseconds since 1970; now when absent. */
      timestamp: z.number().optional(),
      detectorInfo: z.unknown().optional(),
      camera: CameraId.optional(),
      /** Attributes to store with the faces: BAD_PARAM when there are any and their recognition is off. */
      asked: RequestedAttributesSchema.optional(),
      idempotency: z.strictObject({ key: z.string(), requestHash: z.string() }).optional(),
      /** With their quality and liveness where these are to be stored. */
      faces: PhotoAnalysisSchema.shape.selected,
    }),
    answer: z.strictObject({ faces: z.array(FaceSchema) }),
  },

  /** The first answer to an enrolment under this key, if there was one. BAD_PARAM when its request was another. */
  'enrol.recall': {
    question: z.strictObject({ ...owned, key: z.string(), requestHash: z.string() }),
    answer: z.strictObject({ faces: z.array(FaceSchema).optional() }),
  },

  /**
   * How old are these, of which gender, in which mood? BAD_PARAM when that is off. Blobs: the chips and behind them,
   * where emotions are asked for and only there, the thumbnails.
   */
  attributes: {
    question: z.strictObject({ asked: RequestedAttributesSchema, thumbnails: z.array(ThumbnailSchema) }),
    answer: z.strictObject({ faces: z.array(AttributesSchema) }),
  },

  /** Who are these? One list of matches per chip. Blobs: the chips. */
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

  /** How sure is it that these are one person? confidences[i][j] of first[i], second[j]. Blobs: first, then second. */
  compare: {
    question: z.strictObject({ first: z.int().min(0) }),
    answer: z.strictObject({ confidences: z.array(z.array(z.number())) }),
  },

  'face.get': {
    question: z.strictObject({ ...owned, id: FaceId }),
    answer: z.strictObject({ face: FaceSchema }),
  },
  /** Changes what is given. BAD_PARAM, and nothing changed, when a gallery does not exist. */
  'face.update': {
    question: z.strictObject({
      ...changing,
      id: FaceId,
      meta: z.string().optional(),
      personId: FacePersonId.optional(),
      galleries: GalleryChangeSchema.optional(),
    }),
    answer: z.strictObject({ face: FaceSchema }),
  },
  'face.delete': { question: z.strictObject({ ...changing, id: FaceId }), answer: empty },
  /** Of one gallery when it is named; NOT_FOUND when there is no such gallery. */
  'faces.page': {
    question: z.strictObject({ ...owned, ...page, gallery: GalleryName.optional() }),
    answer: FacePage,
  },
  /** Deletes every face with exactly this meta, if there is any; of one gallery when it is named, NOT_FOUND without it. */
  'faces.delete-with-meta': {
    question: z.strictObject({ ...changing, meta: z.string(), gallery: GalleryName.optional() }),
    answer: Deleted,
  },
  /** Metas, the one whose first face is the newest first. Ids of the page are those of first faces. */
  'metas.page': {
    question: z.strictObject({ ...owned, ...page, gallery: GalleryName.optional() }),
    answer: z.strictObject({
      metas: z.array(MetaEntrySchema),
      newer: z.boolean(),
      older: z.boolean(),
    }),
  },

  'person.get': {
    question: z.strictObject({ ...owned, id: PersonId }),
    answer: z.strictObject({ person: PersonSchema }),
  },
  /** Deletes the person and every face of theirs. */
  'person.delete': { question: z.strictObject({ ...changing, id: PersonId }), answer: Deleted },

  /** What is absent is not set. */
  'camera.create': {
    question: z.strictObject({
      ...changing,
      camera: CameraChangeSchema.extend({ detector: z.string().optional() }),
    }),
    answer: CameraAnswer,
  },
  'camera.get': { question: z.strictObject({ ...owned, id: CameraId }), answer: CameraAnswer },
  /** Changes what is given; the absence of rot or roi unsets it. */
  'camera.update': {
    question: z.strictObject({
      ...changing,
      id: CameraId,
      camera: CameraChangeSchema.partial(),
    }),
    answer: CameraAnswer,
  },
  'camera.delete': { question: z.strictObject({ ...changing, id: CameraId }), answer: empty },
  /** Oldest first. */
  'cameras.list': {
    question: z.strictObject(owned),
    answer: z.strictObject({ cameras: z.array(CameraSchema) }),
  },
  /** Does the owner have this camera? BAD_PARAM when not. */
  'camera.check': { question: z.strictObject({ ...owned, id: CameraId, param: z.string() }), answer: empty },

  'galleries.list': {
    question: z.strictObject(owned),
    answer: z.strictObject({ galleries: z.array(GalleryName) }),
  },
  /** Do these exist? BAD_PARAM naming the first that does not. */
  'galleries.check': {
    question: z.strictObject({ ...owned, galleries: z.array(GalleryName), param: z.string() }),
    answer: empty,
  },
  'gallery.get': { question: z.strictObject({ ...owned, gallery: GalleryName }), answer: GalleryAnswer },
  'gallery.create': {
    question: z.strictObject({
      ...changing,
      gallery: GalleryName,
      retentionDays: NewRetentionDays.optional(),
    }),
    answer: GalleryAnswer,
  },
  /** Changes what is given. */
  'gallery.update': {
    question: z.strictObject({
      ...changing,
      gallery: GalleryName,
      retentionDays: NewRetentionDays.optional(),
    }),
    answer: GalleryAnswer,
  },
  'gallery.delete': { question: z.strictObject({ ...changing, gallery: GalleryName }), answer: empty },
} as const

export type Verb = keyof typeof VERBS
export type Question<V extends Verb> = z.infer<(typeof VERBS)[V]['question']>
export type Answer<V extends Verb> = z.infer<(typeof VERBS)[V]['answer']>

/** Verbs that change what is kept. */
export type ChangingVerb = { [V in Verb]: Question<V> extends { by: string } ? V : never }[Verb]

/** True when it does no harm to ask this twice: nothing changes, or it is known by a key. */
export const isRepeatable = (question: Question<Verb>): boolean =>
  !('by' in question) || ('idempotency' in question && question.idempotency !== undefined)

/** What a changing verb is asked for, by whomever. */
export type Change<V extends ChangingVerb> = Omit<Question<V>, 'by'>

/** The header of a refusal: core's own error answer, which edge passes on. */
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

/** Header of a question: the label of the embedder that the edge cuts chips for. */
export const EMBEDDER_HEADER = 'x-mien-embedder'

/** Header of what a core answers that was told to stop, to whatever it is asked: nothing of that was done. */
export const DRAINING_HEADER = 'x-mien-going'

export const verbPath = (verb: Verb): string => `/internal/${verb}`
