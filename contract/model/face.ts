/** A stored face in responses, metas of faces, and the thresholds of their matches. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { FOOTAGE_KINDS } from '../limits/cameras.ts'
import { SEARCH_LIMITS } from '../limits/faces.ts'
import { Natural, Positive, Share } from '../scalars.ts'
import { BoxSchema } from './bbox.ts'
import { LivenessScore, QualitySchema } from './face-details.ts'

/** Decision of a user about a face: searches leave it out, or the finding of the check of a gallery is wrong. */
export const REVIEWS = ['set_aside', 'confirmed'] as const
export type Review = (typeof REVIEWS)[number]

/** How sure it is that a face is of a person, or matches another face. */
export const VerdictSchema = z.enum(['certain', 'probable'])
export type Verdict = z.infer<typeof VerdictSchema>

const NamedPersonSchema = z.strictObject({ id: Natural, meta: z.string() })

/** Of a face without a person. */
export const candidate = z
  .strictObject({ person: NamedPersonSchema, confidence: Share })
  .optional()
  .describe(
    `The person that a face without a person probably shows, until a user answers: one stranger in ${1 / SEARCH_LIMITS.candidateFpir} gets a candidate. ` +
      '`person_id` of PUT /face/id/ID says yes, `not_person` no.',
  )

export const FaceSchema = z
  .strictObject({
    id: FaceId,
    timestamp: z.string().describe('UTC with six decimals, without a zone.'),
    photo: z.string().describe('URL as sent, name of the uploaded file, or empty.'),
    photo_hash: z.string().describe('Equal photos have equal hashes.'),
    /** `thumbnail`, `normalized`, `snapshot` and `clip` are signed links. Core returns paths, the edge absolute URLs. */
    thumbnail: z
      .string()
      .describe('Link to the thumbnail. It needs no token and expires. Empty if no picture is stored.'),
    normalized: z
      .string()
      .describe(
        'Link to the aligned square crop of the face. It needs no token and expires. Empty if no picture is stored.',
      ),
    ...BoxSchema.shape,
    meta: z.string(),
    galleries: z.array(z.string()),
    friend: z.boolean().describe('Whether the camera has seen this person on several recent days.'),
    person_id: z.union([z.number(), z.string()]).optional(),
    candidate,
    cam_id: z.string().optional(),
    age: z.number().optional(),
    gender: z.string().optional(),
    emotions: z.array(z.string()).optional(),
    quality: QualitySchema.optional(),
    liveness: LivenessScore.optional(),
    detector_info: z.unknown().optional(),
    snapshot: z
      .string()
      .optional()
      .describe('Link to the whole photo of the face, if the camera keeps snapshots. The box is on it.'),
    clip: z
      .string()
      .optional()
      .describe('Link to a video (MP4) of the seconds around the photo, if the camera keeps clips.'),
    review: z
      .enum(REVIEWS)
      .optional()
      .describe(
        '`set_aside`: searches, persons and measurements leave the face out. `confirmed`: the check of a gallery does not name it again.',
      ),
    silent: z
      .boolean()
      .optional()
      .describe('True when the person of the face, or the person that it probably shows, is one to ignore.'),
    updated: z
      .boolean()
      .optional()
      .describe(
        'In live events and alerts: true when an earlier event has the face. The picture is a better one, unless `added` is present.',
      ),
    added: z
      .enum(FOOTAGE_KINDS)
      .optional()
      .describe('In live events with `updated`: the snapshot or clip that is new. The picture is the same.'),
    who: z
      .strictObject({
        person: NamedPersonSchema,
        confidence: Share.optional().describe('Absent for the only face of the person.'),
        verdict: VerdictSchema.optional().describe(
          'As the verdict on a match. Absent when the face does not resemble the others. The only face of a person is certain.',
        ),
      })
      .optional()
      .describe(
        'On request (`who`): the person of the face, and how alike the face and the other faces of the person are.',
      ),
  })
  .meta({ id: 'Face' })

export type Face = z.infer<typeof FaceSchema>

/** Targets of a search: faces, or persons by their templates. */
export const SEARCH_TARGETS = ['faces', 'persons'] as const
export type SearchTarget = (typeof SEARCH_TARGETS)[number]

/** A candidate of a search. `confidence` is 0..1 with four decimals. */
export const MatchSchema = z
  .strictObject({
    confidence: Share,
    face: FaceSchema,
    person: NamedPersonSchema.optional().describe(
      'With `target=persons`: the person. `face` is the face of the person that is closest to the photo.',
    ),
    verdict: VerdictSchema.optional().describe(
      `With \`fpir\` or \`target=persons\`. At most one stranger in ${1 / SEARCH_LIMITS.certainFpir} has a certain match, and one in ` +
        `${1 / SEARCH_LIMITS.probableFpir} a probable one. Absent for a weaker match.`,
    ),
  })
  .meta({ id: 'Match' })
export type Match = z.infer<typeof MatchSchema>

/** The bound of the false alarms of a search. */
export const FalseAlarmBoundSchema = z
  .strictObject({
    fpir: z.number().describe('The requested share of strangers with a match.'),
    threshold: Share.describe('The least confidence of a match that keeps it.'),
    faces: Natural.describe('Number of the searched faces.'),
    people: Natural.describe(
      'Number of people that are compared: persons, and with `target=faces` also those that faces have as `meta`, and each other face. ' +
        'The threshold rests on their number, and on how alike they are.',
    ),
    guess: z
      .literal(true)
      .optional()
      .describe(
        'The gallery has too few people to tell how alike they are, or is not measured yet: the threshold assumes people of one origin.',
      ),
  })
  .meta({ id: 'FalseAlarmBound' })
export type FalseAlarmBound = z.infer<typeof FalseAlarmBoundSchema>

/** The face with absolute links to its pictures: core makes paths, callers need URLs that an `<img>` can load. */
export const withLinks = (face: Face, origin: string): Face => ({
  ...face,
  thumbnail: face.thumbnail && origin + face.thumbnail,
  normalized: face.normalized && origin + face.normalized,
  ...(face.snapshot && { snapshot: origin + face.snapshot }),
  ...(face.clip && { clip: origin + face.clip }),
})

export const MetaEntrySchema = z
  .strictObject({
    meta: z.string(),
    /** Number of faces with this meta. */
    count: Positive,
    /** The face with the lowest id. */
    face: FaceSchema,
  })
  .meta({ id: 'MetaEntry' })

/** Least confidence for each name. Guaranteed FMR: strict 1e-5, medium 1e-3, low 1e-1. `none` accepts every candidate. */
export const THRESHOLDS = { strict: 0.7834, medium: 0.6616, low: 0.569, none: 0 } as const

export type ThresholdName = keyof typeof THRESHOLDS

/** Least confidence of a match when a request has no threshold. */
export const DEFAULT_THRESHOLD = 0.75
