/** Parameters of cameras: regions, options, and the report of a watcher. */
import * as z from 'zod'
import { CAMERA_LIMITS, FOOTAGE_KINDS } from '../limits/cameras.ts'
import { PHOTO_LIMITS } from '../limits/photos.ts'
import {
  AreasSchema,
  CameraOptionsSchema,
  RecordingReportSchema,
  type Region,
  RegionSchema,
  STREAM_ERRORS,
  UNUSED_REASONS,
  WATCHER_PATTERN,
} from '../model/camera.ts'
import { asNumber, field, integer, number, oneOf, optional, splitText, text } from './fields.ts'
import { openapiOverrides } from './json-schema.ts'
import { parsedText } from './json-text.ts'
import { file } from './photos.ts'

const { $schema: _, ...schema } = z.toJSONSchema(CameraOptionsSchema)

const EXPECTED =
  `an object with any of fps (1 to ${CAMERA_LIMITS.fps}), min_face (${PHOTO_LIMITS.detectedFaceSide} to ${CAMERA_LIMITS.faceSide}), ` +
  `min_quality (0 to 1), absence and longest (1 to ${CAMERA_LIMITS.visitSeconds}), early, snapshot and clip (true or false), liveness (0 to 1), rotate (0, 90, 180, 270 or auto) ` +
  `and masks (at most ${CAMERA_LIMITS.areas} lists of left, top, width and height, 0 to 1)`

/** An object, or JSON of one. Numbers and booleans may be text, as in the fields of a form. Undefined for an empty value. */
export const cameraOptions = field(value => {
  const given = parsedText(value)
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return CameraOptionsSchema.safeParse(isObject ? typedValues(given) : undefined).data
}, EXPECTED).register(openapiOverrides, {
  ...schema,
  description:
    'Options that override the options of the watcher. They replace all stored options; `{}` deletes them.',
  examples: [{ fps: 10, min_face: 60, early: true }],
})

const BOOLEANS: Record<string, boolean> = { true: true, false: false }
const FLAGS: readonly string[] = ['early', ...FOOTAGE_KINDS]

/** The values of text fields with their types. Unknown names stay, and are refused. */
const typedValues = (given: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value]
      if (name === 'masks') return [name, parsedText(value)]
      if (FLAGS.includes(name)) return [name, BOOLEANS[value.toLowerCase()] ?? value]
      // `rotate` takes a word, too.
      const number = asNumber(value)
      return [name, Number.isNaN(number) ? value : number]
    }),
  )

const A_REGION = '4 whole numbers width,height,x,y with width and height above 0'

/** Maximum characters of the text of a region. */
const MAX_CHARACTERS = 256

/** The elements of a list of numbers. A text above the maximum length gives one undefined element. */
const elementsOf = (value: unknown): unknown[] => {
  const [only] = Array.isArray(value) && value.length === 1 ? value : [value]
  if (typeof only === 'string') return only.length <= MAX_CHARACTERS ? splitText(only) : [undefined]
  return Array.isArray(value) ? value : [value]
}

/** `[width, height, x, y]` as a JSON array, JSON text, repeated field or comma-separated text. Undefined for an empty value. */
export const region = z
  .unknown()
  .transform((value, context): Region | undefined => {
    const list = elementsOf(value)
    if (list.length === 0 || (list.length === 1 && list[0] === '')) return undefined
    const parsed = RegionSchema.safeParse(list.length === 4 ? list.map(asNumber) : undefined)
    if (parsed.success && parsed.data.every(side => side <= CAMERA_LIMITS.regionSide)) return parsed.data
    context.addIssue(A_REGION)
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: CAMERA_LIMITS.regionSide },
    minItems: 4,
    maxItems: 4,
    description: '`[width, height, x, y]` in pixels.',
    examples: [[640, 480, 0, 0]],
  })

/** Name that a watcher chooses for a run. */
export const watcher = field(
  value => (typeof value === 'string' && WATCHER_PATTERN.test(value) ? value : undefined),
  '1 to 64 of the characters a-z, A-Z, 0-9, _, . and -',
).register(openapiOverrides, {
  type: 'string',
  pattern: WATCHER_PATTERN.source,
  description: 'A name that the watcher chooses for each run, for example a UUID.',
})

const picture = file(
  `The last frame: a JPEG image of at most ${CAMERA_LIMITS.pictureSide} pixels on each side.`,
)

const { $schema: __, ...areasSchema } = z.toJSONSchema(AreasSchema)
const { $schema: ___, ...recordingSchema } = z.toJSONSchema(RecordingReportSchema)

/** Areas, or JSON of them. */
const areas = field(
  value => AreasSchema.safeParse(parsedText(value)).data,
  `at most ${CAMERA_LIMITS.areas} lists of left, top, width and height, 0 to 1`,
).register(openapiOverrides, {
  ...areasSchema,
  description:
    'Where faces have not moved for ten minutes: `[left, top, width, height]` in fractions of the picture.',
  examples: [[[0.1, 0.2, 0.05, 0.1]]],
})

const count = integer(0, Number.MAX_SAFE_INTEGER)
const measure = number.refine(value => value >= 0 && value <= 1e9, 'a number from 0 to 1000000000')
const rate = number.refine(value => value >= 0 && value <= 1_000, 'a number from 0 to 1000')

/** Report of a watcher about its camera. Absent fields are unknown. */
export const reportParameters = {
  fps: optional(rate.meta({ description: 'Frames a second that arrive.' })),
  dropped: optional(
    count.meta({ description: 'Frames that were not analysed because newer ones had arrived.' }),
  ),
  frame_age: optional(measure.meta({ description: 'Seconds since the last frame.' })),
  last_error: optional(oneOf(STREAM_ERRORS).meta({ description: 'Why the stream ended last.' })),
  width: optional(count.meta({ description: 'Pixels of a frame.' })),
  height: optional(count),
  losses: optional(count.meta({ description: 'How often the stream has ended.' })),
  furniture: optional(areas),
  turn: optional(
    integer(0, 270)
      .refine(value => value % 90 === 0, '0, 90, 180 or 270')
      .meta({ description: 'Degrees clockwise by which most faces have to be turned to be upright.' }),
  ),
  searched: optional(rate.meta({ description: 'Frames a second that are searched for faces.' })),
  wanted: optional(rate.meta({ description: 'Frames a second that the options ask for.' })),
  behind: optional(
    measure.meta({ description: 'Greatest delay of a frame in the last minute, in seconds; 0 up to 2.' }),
  ),
  unused: optional(count.meta({ description: 'How often people were seen and no picture could be used.' })),
  unused_reason: optional(oneOf(UNUSED_REASONS).meta({ description: 'The most frequent reason.' })),
  reason: optional(text(200)),
  recording: optional(
    field(
      value => RecordingReportSchema.safeParse(parsedText(value)).data,
      'an object with start, size, read, visits, from and before',
    ).register(openapiOverrides, {
      ...recordingSchema,
      description:
        'How far the recording of the camera is read. The lease is then of the recording, and nothing else is reported. With `end`, ' +
        'the recording is deleted.',
      examples: [
        {
          start: '2026-11-27T18:00:00.000000',
          size: 9_437_184,
          read: 80,
          of: 145,
          visits: 3,
          from: 60_000,
          before: 3,
        },
      ],
    }),
  ),
  picture: optional(picture),
  live: optional(
    count.meta({
      description:
        'Number of a frame, which rises. The `picture` is then for the viewers of the live view only, ' +
        `with at most ${CAMERA_LIMITS.liveSide} pixels on each side, and nothing is reported.`,
    }),
  ),
}
