/** Parameters of operations on photos: the photo, boxes, selection, thresholds, and requested details of faces. */
import * as z from 'zod'
import { badParam } from '../errors.ts'
import { PHOTO_LIMITS } from '../limits/photos.ts'
import { DEFAULT_THRESHOLD, SEARCH_TARGETS, THRESHOLDS, type ThresholdName } from '../model/face.ts'
import { byFaceDetail } from '../model/face-details.ts'
import { SELECTORS } from '../model/photo-analysis.ts'
import { parseBoxes } from './boxes.ts'
import {
  asNumber,
  boolean,
  field,
  fraction,
  isStorable,
  number,
  oneOf,
  optional,
  withDefault,
  word,
} from './fields.ts'
import { openapiOverrides } from './json-schema.ts'

/** A photo in a request body, in any encoding. */
export class Upload {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** File name from the client; "" when absent. */
  readonly name: string

  constructor(bytes: Uint8Array<ArrayBuffer>, name: string) {
    this.bytes = bytes
    this.name = name
  }
}

/** A file only, of at most PHOTO_LIMITS.bytes as every file. */
export const file = (description: string) =>
  field(
    value => (value instanceof Upload ? value.bytes : undefined),
    'a multipart file or a data: URL',
  ).register(openapiOverrides, { type: 'string', format: 'uri', upload: true, description })

const isPhotoUrl = (value: string) =>
  value.length <= PHOTO_LIMITS.nameLength && isStorable(value) && URL.canParse(value)

export const A_PHOTO = `one photo: a multipart file, its URL of at most ${PHOTO_LIMITS.nameLength} characters, or a data: URL`

/** An uploaded photo or the URL of a photo. Data URLs are already decoded to uploads. */
export const photo = z
  .unknown()
  .transform((value, context): Upload | string => {
    if (value instanceof Upload && isStorable(value.name)) return value
    if (typeof value === 'string' && isPhotoUrl(value)) return value
    context.addIssue(value instanceof Upload ? 'a file name in Unicode and without NUL' : A_PHOTO)
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'string',
    format: 'uri',
    maxLength: PHOTO_LIMITS.nameLength,
    upload: true,
    description: 'A photo: a file in a multipart body, its public URL, or a `data:image/...;base64,` URL.',
  })

const corner = { type: 'number' }
const BOX_SCHEMA = {
  type: 'object',
  properties: { x1: corner, y1: corner, x2: corner, y2: corner },
  required: ['x1', 'y1', 'x2', 'y2'],
}

/** Boxes of faces. See boxes.ts. An empty list means absent. */
export const boxes = z
  .unknown()
  .transform((value, context) => {
    const parsed = parseBoxes(value)
    if (typeof parsed !== 'string') return parsed
    context.addIssue(parsed)
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'array',
    items: BOX_SCHEMA,
    maxItems: PHOTO_LIMITS.selectedFaces,
    description: `Boxes of the faces in pixels of the upright photo, each at least ${PHOTO_LIMITS.faceSide} x ${PHOTO_LIMITS.faceSide} pixels.`,
    examples: [[{ x1: 10, y1: 20, x2: 110, y2: 140 }]],
  })

/** Boxes of identify and detect: `bbox`, or the corners of one box. */
export const boxParameters = {
  bbox: optional(boxes),
  x1: optional(number),
  y1: optional(number),
  x2: optional(number),
  y2: optional(number),
}

const A_THRESHOLD = 'strict, medium, low, none or a number from 0 to 1'

const CONFIDENCE_SCHEMA = {
  anyOf: [
    { type: 'number', minimum: 0, maximum: 1 },
    { type: 'string', enum: Object.keys(THRESHOLDS) },
  ],
  description: 'The least confidence of a match: a number or a name.',
}

const leastConfidence = z
  .union([z.string(), z.number()], A_THRESHOLD)
  .transform((value, context): number | 'none' => {
    const name = word(value)?.toLowerCase() ?? ''
    if (name === 'none') return 'none'
    if (Object.hasOwn(THRESHOLDS, name)) return THRESHOLDS[name as ThresholdName]
    const parsed = asNumber(value)
    if (parsed >= 0 && parsed <= 1) return parsed
    context.addIssue(A_THRESHOLD)
    return z.NEVER
  })
  .register(openapiOverrides, CONFIDENCE_SCHEMA)

/** Parameters that decide which candidates of a search are matches. */
export const matchParameters = {
  threshold: optional(leastConfidence).register(openapiOverrides, {
    ...CONFIDENCE_SCHEMA,
    // Not declared as a default, which forms would send beside `fpir`.
    description: `${CONFIDENCE_SCHEMA.description} ${DEFAULT_THRESHOLD} without it, unless \`fpir\` is sent.`,
  }),
  fpir: optional(
    fraction.meta({
      description:
        'Instead of `threshold`: the share of strangers that may have any match, whatever the size of the gallery.',
    }),
  ),
  target: withDefault(
    oneOf(SEARCH_TARGETS).meta({
      description:
        'What is searched. `persons`: one match for each person, scored by the mean of their good faces.',
    }),
    'faces',
  ),
}

/**
 * What makes a candidate a match: a least confidence, or a share of strangers. Without either it is DEFAULT_THRESHOLD, or the
 * default FPIR. Throws BAD_PARAM for both.
 */
export function matchConditions(
  { threshold, fpir }: { threshold?: number | 'none'; fpir?: number },
  defaultFpir?: number,
): { threshold: number; fpir?: number } {
  if (fpir !== undefined && threshold !== undefined)
    throw badParam('fpir', fpir, 'fpir and threshold are alternatives: send one of them.')
  const bound = threshold === undefined ? (fpir ?? defaultFpir) : undefined
  if (bound !== undefined) return { threshold: 0, fpir: bound }
  return { threshold: threshold === 'none' ? 0 : (threshold ?? DEFAULT_THRESHOLD) }
}

/** Least confidence of a match, 0..1; `none` for results without a decision. */
export const threshold = withDefault(leastConfidence, DEFAULT_THRESHOLD)

/** Least confidence of a suggestion. */
export const suggestionThreshold = optional(leastConfidence).register(openapiOverrides, {
  ...CONFIDENCE_SCHEMA,
  description: `${CONFIDENCE_SCHEMA.description} Default: the confidence of a probable match.`,
})

export const selector = withDefault(
  oneOf(SELECTORS).meta({
    description:
      'Selects faces when the photo shows several. `biggest` is the face with the largest area inside the photo; `reject` ' +
      'refuses the photo.',
  }),
  'biggest',
)

/** Requested details of each face. An extension of the API contract, available in every version. */
export const detailParameters = byFaceDetail(name =>
  withDefault(boolean.meta({ description: `Report the ${name} of each face.` }), false),
)

/** Report the liveness of each face, and refuse faces below a limit. */
export const livenessParameters = {
  liveness: detailParameters.liveness,
  min_liveness: optional(
    fraction.meta({
      description: 'Refuse the photo with `LIVENESS_FAILED` when a face has a lower liveness.',
    }),
  ),
}

/** Minimum quality of each face. */
export const minQuality = optional(
  fraction.meta({
    description: 'Refuse the photo with `LOW_QUALITY` when a face has a lower `quality`.',
  }),
)

/** Part of v1, unknown to v0. */
export const attributeParameters = {
  age: withDefault(boolean, false),
  gender: withDefault(boolean, false),
  emotions: withDefault(boolean, false),
}
