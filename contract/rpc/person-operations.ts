/** RPC operations on persons. See operations.ts. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { LIMITS } from '../limits.ts'
import { PersonId, PersonSchema } from '../model/person.ts'
import { PersonSuggestionSchema, PersonSummarySchema } from '../model/person-summary.ts'
import { change, changing, Deleted, owned, page } from './fields.ts'

const SummaryAnswer = z.strictObject({ person: PersonSummarySchema })

export const PERSON_OPERATIONS = {
  'person.get': {
    question: z.strictObject({ ...owned, id: PersonId }),
    answer: z.strictObject({ person: PersonSchema }),
  },
  /** One page of summaries by descending id: of all persons, or of those with exactly this meta. */
  'persons.summaries': {
    question: z.strictObject({ ...owned, ...page, meta: z.string().optional() }),
    answer: z.strictObject({
      persons: z.array(PersonSummarySchema),
      newer: z.boolean(),
      older: z.boolean(),
    }),
  },
  'person.summary': { question: z.strictObject({ ...owned, id: PersonId }), answer: SummaryAnswer },
  /** Changes the meta of a person. With `faces` also that of their faces; `changed` is the number of these. */
  'person.update': change({
    question: z.strictObject({ ...changing, id: PersonId, meta: z.string(), faces: z.boolean() }),
    answer: z.strictObject({ person: PersonSchema, changed: z.int() }),
    audit: ({ id }, { changed }) => ({ person: id, meta: 'changed', count: changed }),
  }),
  /** Moves the faces of other persons to this one, and deletes these persons. BAD_PARAM without any change for an unknown one. */
  'person.merge': change({
    question: z.strictObject({
      ...changing,
      id: PersonId,
      persons: z.array(PersonId).min(1).max(LIMITS.mergedPersons),
    }),
    answer: SummaryAnswer.extend({ moved: z.int() }),
    audit: ({ id, persons }, { moved }) => ({ person: id, persons, count: moved }),
  }),
  /** Moves faces of a person to a new one. BAD_PARAM without any change when a face is not of the person. */
  'person.split': change({
    question: z.strictObject({
      ...changing,
      id: PersonId,
      faces: z.array(FaceId).min(1).max(LIMITS.splitFaces),
      meta: z.string().optional(),
    }),
    answer: SummaryAnswer,
    audit: ({ id, faces }, { person }) => ({ person: id, to: person.id, faces, count: faces.length }),
  }),
  /** Pairs of a page of persons with older persons. `next` is the id that the next page begins below. */
  'persons.suggestions': {
    question: z.strictObject({
      ...owned,
      maxId: PersonId.optional(),
      limit: z.int().min(1).max(LIMITS.suggestionPage),
      threshold: z.number().min(0).max(1),
      strict: z.boolean().optional(),
    }),
    answer: z.strictObject({
      suggestions: z.array(PersonSuggestionSchema),
      next: PersonId.optional(),
      /** Absent when no person of the page has a face. */
      shards: z.strictObject({ live: z.int(), total: z.int() }).optional(),
    }),
  },
  /** Deletes a person and all faces of the person. */
  'person.delete': change({
    question: z.strictObject({ ...changing, id: PersonId }),
    answer: Deleted,
    audit: ({ id }, { faces }) => ({ person: id, faces, count: faces.length }),
    disk: 'frees',
  }),
} as const
