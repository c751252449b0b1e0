/** Photos: detection, comparison and search. */
import * as z from 'zod'
import type { ErrorCode } from '../errors.ts'
import { FACE_LIMITS, SEARCH_LIMITS } from '../limits/faces.ts'
import { AttributesSchema, RequestedAttributesSchema } from '../model/attributes.ts'
import { BoxSchema } from '../model/bbox.ts'
import { FalseAlarmBoundSchema, MatchSchema, SEARCH_TARGETS, VerdictSchema } from '../model/face.ts'
import { FACE_DETAILS, LivenessScore } from '../model/face-details.ts'
import { GalleryName, OwnerId } from '../model/gallery.ts'
import { PersonId, PersonSchema } from '../model/person.ts'
import { ThumbnailSchema } from '../model/photo-analysis.ts'
import { boolean, integer, optional, withDefault } from '../parameters/fields.ts'
import { gallery, id } from '../parameters/ids.ts'
import {
  attributeParameters,
  boxes,
  boxParameters,
  detailParameters,
  livenessParameters,
  matchParameters,
  photo,
  selector,
  threshold,
} from '../parameters/photos.ts'
import { call, ofOwner, view } from '../rpc/message.ts'
import { Natural, Positive, Share } from '../scalars.ts'
import { ATTRIBUTES, FACE, FACE_BOX } from './examples.ts'
import { operationOf } from './operation.ts'

const operation = operationOf('Photos')

/** Error codes of an operation that reads a photo. */
const PHOTO_REFUSALS = [
  'BAD_IMAGE',
  'PHOTO_TOO_LARGE',
  'PHOTO_UNREACHABLE',
] as const satisfies readonly ErrorCode[]

/** Error codes of an operation that requires faces on its photo. */
export const FACE_REFUSALS = [
  ...PHOTO_REFUSALS,
  'NO_FACES',
  'TOO_MANY_FACES',
  'LIVENESS_FAILED',
] as const satisfies readonly ErrorCode[]

/** Documentation of the header of operations that detect faces. */
const DETECTION_HEADERS = {
  'X-Detection':
    '`limited`: the photo has more places that may show small faces than are examined in one request. Small faces may be missing. ' +
    'Send parts of the photo, or name the faces by their boxes. Absent if everything was examined.',
} as const

/** Documentation of the headers of operations that recognise faces. */
export const RECOGNITION_HEADERS = {
  ...DETECTION_HEADERS,
  'X-Faces-Left-Out':
    'Number of faces that were left out because they are too poor to recognise (verify: of both photos). `POST /detect` lists them. ' +
    'Name their boxes to use them all the same. Absent for none.',
} as const

/** Documentation of the header of enrolments that did not take all faces. */
export const FACES_SEEN_HEADERS = {
  'X-Faces-Seen':
    'Number of faces on the photo, with those left out, if not all were taken: ask whose face was meant. With ' +
    '`mf_selector=biggest`, faces of less than a quarter of its area may not be counted. Absent with `bbox`.',
} as const

/** Documentation of the header of operations that search in shards. */
export const SHARDS_HEADERS = {
  'X-Live-Servers': 'Number of searched shards and number of all shards, for example `3/4`.',
} as const

const detected = { ...BoxSchema.shape, ...FACE_DETAILS }

const DetectAnswer = z.strictObject({
  faces: z.array(z.strictObject(detected)),
  orientation: Positive.max(8).meta({ description: 'EXIF orientation; 1 if the photo has none.' }),
  reason: z
    .string()
    .meta({ description: 'Why `faces` is empty, for people: the photo shows faces, but they are too small.' })
    .optional(),
})

const QUALITY = {
  quality: 0.9412,
  score: 0.9963,
  size: 179,
  sharpness: 0.5055,
  brightness: 0.3489,
  contrast: 0.1572,
  yaw: -28.6,
  pitch: -20.4,
  roll: 2.8,
}

const PROBE_BOX = { x1: 177, y1: 155, x2: 252, y2: 251 }

const identification = {
  method: 'post',
  permission: 'read',
  details:
    `A face without a match has an empty list. \`n\` is the maximum number of matches per face; 0 stands for ${FACE_LIMITS.matches}. ` +
    `All faces of a photo together have at most ${FACE_LIMITS.matchesPerAnswer} matches. ` +
    'Boxes override `mf_selector`. `bbox` contains boxes; x1, y1, x2 and y2 are one box. Different values in both are refused. ' +
    `\`fpir\` and \`threshold\` are alternatives. With \`target=persons\` and neither of them, \`fpir\` is ${SEARCH_LIMITS.probableFpir}.`,
  answer: z.strictObject({
    results: z.record(z.string(), z.array(MatchSchema)).meta({
      description:
        'Matches of each face, in descending order of confidence. The key is the box of the face: `[x1, y1, x2, y2]`.',
    }),
    liveness: z
      .record(z.string(), LivenessScore)
      .meta({ description: 'With `liveness`: the liveness of each face, with the same keys.' })
      .optional(),
    search: FalseAlarmBoundSchema.optional().describe(
      'With `fpir` or `target=persons`: how false alarms were bounded.',
    ),
  }),
  example: {
    results: { '[177, 155, 252, 251]': [{ confidence: 0.9687, face: FACE }] },
    liveness: { '[177, 155, 252, 251]': 0.9991 },
  },
  headers: { ...RECOGNITION_HEADERS, ...SHARDS_HEADERS },
  refusals: FACE_REFUSALS,
  // 1:N search. One list of matches per chip. Blobs: the chips.
  core: view('identify', {
    words: 'searched for a person',
    request: {
      ...ofOwner,
      gallery: GalleryName,
      threshold: Share,
      /** Instead of the threshold, which is then 0. */
      fpir: Share.optional(),
      /** Default: faces. */
      target: z.enum(SEARCH_TARGETS).optional(),
      limit: Positive.max(FACE_LIMITS.matches),
      strict: z.boolean().optional(),
    },
    response: {
      matches: z.array(z.array(MatchSchema)),
      bound: FalseAlarmBoundSchema.optional(),
      live: z.int(),
      total: z.int(),
    },
    views: ({ gallery }, { matches }) => ({
      gallery,
      probes: matches.length,
      candidates: matches.flat().length,
    }),
  }),
} as const

const identifyParameters = {
  photo,
  ...boxParameters,
  ...matchParameters,
  n: withDefault(integer(0, FACE_LIMITS.matches), 1),
  gallery: optional(gallery),
  strict: optional(boolean),
  mf_selector: selector,
  ...livenessParameters,
}

export const photoOperations = {
  detect: operation({
    client: 'detect',
    method: 'post',
    path: '/detect',
    permission: 'read',
    summary: 'Detect the faces on a photo',
    details:
      'Boxes are in pixels of the upright photo. A photo without a face gives an empty list. With `bbox`, or with all of x1, ' +
      'y1, x2 and y2, the operation skips detection and returns these boxes in their order with the requested details.',
    parameters: {
      photo,
      ...boxParameters,
      ...detailParameters,
      min_liveness: livenessParameters.min_liveness,
      ...attributeParameters,
    },
    answer: DetectAnswer,
    // Each box with the requested attributes.
    answerOfV1: DetectAnswer.extend({
      faces: z.array(z.strictObject({ ...detected, ...AttributesSchema.shape })),
    }),
    example: { faces: [{ ...FACE_BOX, quality: QUALITY, liveness: 0.9998, ...ATTRIBUTES }], orientation: 1 },
    headers: DETECTION_HEADERS,
    refusals: [...PHOTO_REFUSALS, 'LIVENESS_FAILED'],
    // Estimates age, gender and emotions, if they are requested. BAD_PARAM when attributes are off. Blobs: the chips, then the
    // thumbnails if emotions are requested.
    core: call('attributes', {
      request: { asked: RequestedAttributesSchema, thumbnails: z.array(ThumbnailSchema) },
      response: { faces: z.array(AttributesSchema) },
    }),
  }),

  verify: operation({
    method: 'post',
    path: '/verify',
    permission: 'read',
    summary: 'Compare the faces of two photos, or of a photo with a person',
    details:
      'One result per pair of faces. `verified` beside `results` is true if each face of the first photo has a match on the ' +
      'second photo. With the threshold `none` the response has no `verified` fields. Boxes override `mf_selector`. `person_id` ' +
      'instead of `photo2` compares each face with the mean of the good faces of this person: results have `person` in the place of ' +
      '`bbox2`.',
    parameters: {
      photo1: photo,
      photo2: optional(photo),
      person_id: optional(id),
      bbox1: optional(boxes),
      bbox2: optional(boxes),
      threshold,
      mf_selector: selector,
      ...livenessParameters,
    },
    answer: z.strictObject({
      results: z.array(
        z.strictObject({
          bbox1: BoxSchema,
          bbox2: BoxSchema.optional().describe('Present with `photo2`.'),
          person: PersonSchema.optional().describe('Present with `person_id`.'),
          confidence: Share,
          verdict: VerdictSchema.optional().describe(
            'With `person_id`: certainty of the match. For one stranger in 1,000, it is `certain`. Absent for a weak match.',
          ),
          verified: z.boolean().optional(),
          liveness1: LivenessScore.optional(),
          liveness2: LivenessScore.optional(),
        }),
      ),
      verified: z.boolean().optional(),
    }),
    example: {
      results: [
        {
          bbox1: FACE_BOX,
          bbox2: PROBE_BOX,
          confidence: 0.9687,
          verified: true,
          liveness1: 0.9998,
          liveness2: 0.9991,
        },
      ],
      verified: true,
    },
    headers: RECOGNITION_HEADERS,
    refusals: [...FACE_REFUSALS, 'NOT_FOUND'],
    // 1:1 comparisons. confidences[i][j] is of first[i] and second[j], or of the only `person`. Blobs: the chips of first, then of
    // second.
    core: view('compare', {
      words: 'compared faces',
      request: {
        first: Natural,
        /** Compared instead of second. NOT_FOUND for an unknown one, BAD_PARAM for one without faces. */
        person: z.strictObject({ owner: OwnerId, id: PersonId }).optional(),
      },
      response: {
        confidences: z.array(z.array(z.number())),
        person: PersonSchema.optional(),
        /** Of each face, with a person; null for a weak match. A core of 0.2 sends none. */
        verdicts: z.array(VerdictSchema.nullable()).optional(),
      },
      views: ({ person }, { confidences }) => ({ pairs: confidences.flat().length, person: person?.id }),
    }),
  }),

  identify: operation({
    client: 'identify',
    ...identification,
    path: '/identify',
    summary: 'Search for the faces of a photo among enrolled faces',
    parameters: identifyParameters,
  }),

  identifyInGallery: operation({
    ...identification,
    path: '/faces/gallery/:gallery/identify',
    aliases: ['/face/gallery/:gallery/identify'],
    summary: 'Search for the faces of a photo in a gallery',
    parameters: { ...identifyParameters, gallery },
  }),
}
