/**
 * RPC streams from core to edge: lists without a bound. The response consists of lines of JSON.
 * Each line holds some items, the last line the end. A response without an end was interrupted.
 */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { AlertDataSchema } from '../model/alert.ts'
import { FaceSchema } from '../model/face.ts'
import { GalleryName, OwnerId } from '../model/gallery.ts'
import { EventId, HistoryEventSchema, HistoryFilter, PersonHistoryEntrySchema } from '../model/history.ts'
import { PersonSchema } from '../model/person.ts'
import { TokenId } from '../model/token.ts'

const owned = { owner: OwnerId }

const nothingMore = z.strictObject({})

/** All streams: schemas of the request (`question`), of one item and of the end record. */
export const STREAMS = {
  /** Events of all cameras, newest first. */
  'history.search': {
    question: z.strictObject({
      ...owned,
      filter: HistoryFilter,
      /** Only events below this id. */
      maxId: FaceId.optional(),
      /** 0: no limit. */
      limit: z.int().min(0),
    }),
    item: HistoryEventSchema,
    /** Whether there are older events. */
    end: z.strictObject({ older: z.boolean() }),
  },

  /**
   * Live events, oldest first. It does not end while core serves it, but for LIMITS.eventStreamMs. BAD_PARAM for an unknown
   * gallery and for a position that is too old; RATE_LIMITED.
   */
  'events.follow': {
    question: z.strictObject({
      ...owned,
      /** The stream ends when this token is no longer valid. */
      token: TokenId,
      filter: HistoryFilter.omit({ start: true, end: true }),
      /** Only events after this one. Absent: only events from now on. */
      after: EventId.optional(),
      /** Alerts, too: those about faces of the filter, and tests. */
      alerts: z.boolean().optional(),
    }),
    /** An event or an alert; with neither, all up to this position were sent. */
    item: z.strictObject({ id: EventId, face: FaceSchema.optional(), alert: AlertDataSchema.optional() }),
    end: nothingMore,
  },

  /** Events of one person, newest first. NOT_FOUND when the owner does not have this person. */
  'person.history': {
    question: z.strictObject({
      ...owned,
      filter: HistoryFilter.omit({ gallery: true }).required({ personId: true }),
    }),
    item: PersonHistoryEntrySchema,
    end: nothingMore,
  },

  /** All persons by ascending id. */
  'persons.list': { question: z.strictObject(owned), item: PersonSchema, end: nothingMore },

  /** All faces with exactly this meta, newest first. NOT_FOUND when the gallery does not exist. */
  'faces.with-meta': {
    question: z.strictObject({ ...owned, meta: z.string(), gallery: GalleryName.optional() }),
    item: FaceSchema,
    end: nothingMore,
  },
} as const

export type StreamName = keyof typeof STREAMS
export type StreamRequest<S extends StreamName> = z.infer<(typeof STREAMS)[S]['question']>
export type StreamItem<S extends StreamName> = z.infer<(typeof STREAMS)[S]['item']>
export type StreamEnd<S extends StreamName> = z.infer<(typeof STREAMS)[S]['end']>

/** One line of a response. The schemas of the stream then parse the items and the end. */
export const LineSchema = z.union([
  z.strictObject({ items: z.array(z.unknown()) }),
  z.strictObject({ end: z.unknown() }),
])

/** Content type of a stream response. */
export const LINES_TYPE = 'application/x-ndjson'

/** Path of the POST route of a stream. */
export const streamPath = (stream: StreamName): string => `/internal/stream/${stream}`
