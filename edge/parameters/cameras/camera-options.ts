/** Parameter `options` of cameras: options that override those of the watcher. */
import * as z from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import { type CameraOptions, CameraOptionsSchema } from '../../../contract/model/watching/camera-options.ts'
import { parseJsonText } from '../../http/encodings/json.ts'
import { openapiOverrides } from '../../openapi/overrides.ts'
import { asNumber } from '../scalars.ts'

const { cameraFps, detectedFaceSide, cameraFaceSide, cameraVisitSeconds } = LIMITS

const { $schema: _, ...schema } = z.toJSONSchema(CameraOptionsSchema)

const EXPECTED =
  `an object with any of fps (1 to ${cameraFps}), min_face (${detectedFaceSide} to ${cameraFaceSide}), min_quality (0 to 1), ` +
  `absence and longest (1 to ${cameraVisitSeconds}), early (true or false) and liveness (0 to 1)`

/** An object, or JSON of one. Numbers and booleans may be text, as in the fields of a form. Undefined for an empty value. */
export const cameraOptions = z
  .unknown()
  .transform((value, context): CameraOptions | undefined => {
    const given = typeof value === 'string' ? parseJsonText(value) : value
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
    const parsed = CameraOptionsSchema.safeParse(isObject ? typed(given) : undefined)
    if (parsed.success) return parsed.data
    context.addIssue(EXPECTED)
    return z.NEVER
  })
  .register(openapiOverrides, {
    ...schema,
    description:
      'Options that override those of the watcher. They replace all stored options; `{}` deletes them.',
    examples: [{ fps: 10, min_face: 60, early: true }],
  })

const BOOLEANS: Record<string, boolean> = { true: true, false: false }

/** The values of text fields with their types. Unknown names stay, and are refused. */
const typed = (given: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value]
      return [name, name === 'early' ? (BOOLEANS[value.toLowerCase()] ?? value) : asNumber(value)]
    }),
  )
