/**
 * Lists without a bound that edge asks of core: one table, like wire.ts, but the answer comes in lines of JSON.
 * Each line holds some items, the last one the end. An answer without an end broke off.
 */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { FaceSchema } from '../model/face.ts'
import { GalleryName, OwnerId } from '../model/gallery.ts'
import { HistoryEventSchema, HistoryFilter, PersonHistoryEntrySchema } from '../model/history.ts'
import { PersonSchema } from '../model/person.ts'

const owned = { owner: OwnerId }

const nothingMore = z.strictObject({})

export const STREAMS = {
  /** Events of cameras, newest first. */
  'history.search': {
    question: z.strictObject({
      ...owned,
      filter: HistoryFilter,
      /** Only events below this id. */
      maxId: FaceId.optional(),
      /** 0 for all of them. */
      limit: z.int().min(0),
    }),
    item: HistoryEventSchema,
    /** Whether there are events below the last of these. */
    end: z.strictObject({ older: z.boolean() }),
  },

  /** The same of one person; NOT_FOUND when the owner knows no such person. */
  'person.history': {
    question: z.strictObject({ ...owned, filter: HistoryFilter.required({ personId: true }) }),
    item: PersonHistoryEntrySchema,
    end: nothingMore,
  },

  /** All persons by rising id. */
  'persons.list': { question: z.strictObject(owned), item: PersonSchema, end: nothingMore },

  /** All faces with exactly this meta, newest first; NOT_FOUND when there is no such gallery. */
  'faces.with-meta': {
    question: z.strictObject({ ...owned, meta: z.string(), gallery: GalleryName.optional() }),
    item: FaceSchema,
    end: nothingMore,
  },
} as const

export type StreamName = keyof typeof STREAMS
export type StreamQuestion<S extends StreamName> = z.infer<(typeof STREAMS)[S]['question']>
export type StreamItem<S extends StreamName> = z.infer<(typeof STREAMS)[S]['item']>
export type StreamEnd<S extends StreamName> = z.infer<(typeof STREAMS)[S]['end']>

/** One line of an answer, before its parts are parsed by the stream's own schemas. */
export const LineSchema = z.union([
  z.strictObject({ items: z.array(z.unknown()) }),
  z.strictObject({ end: z.unknown() }),
])

export const LINES_TYPE = 'application/x-ndjson'

export const streamPath = (stream: StreamName): string => `/internal/stream/${stream}`
