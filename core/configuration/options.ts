/** Defines the options of the API configuration: meaning, bounds and defaults. */
import * as z from 'zod'
import { CALIBRATION_NAMES } from '../../models/calibrations.ts'

/** True or False; 1 and 0 are equivalent, as in Python. */
const flag = z
  .union([z.boolean(), z.literal(0), z.literal(1)], 'must be True or False')
  .transform(value => value === true || value === 1)

const wholeNumber = (least: number) => {
  const complaint = `must be a whole number from ${least} on`
  return z.int(complaint).min(least, complaint)
}

const CONFIDENCE = 'must be a number from 0 to 1'
const confidence = z.number(CONFIDENCE).min(0, CONFIDENCE).max(1, CONFIDENCE)

/** The only supported model; '' selects it as well. */
const model = (name: string) => z.enum([name, ''], `must be '${name}' or ''`)

export const OptionsSchema = z.strictObject({
  /** Each new face gets a person: that of the most similar stored face, or a new one. */
  person_identify: flag.default(false),
  /** Compares with all faces of the owner; otherwise only with those of the same camera. */
  person_identify_global: flag.default(false),
  /** Least confidence at which a new face joins a person, 0..1. */
  person_identify_threshold: confidence.default(0.75),
  /** A person is a friend of a camera that saw them on at least this many distinct UTC days ... */
  friend_count: wholeNumber(1).default(5),
  /** ... within this many seconds. */
  friend_interval: wholeNumber(1).default(604_800),
  /** The pack's table that maps scores to confidences; see docs/accuracy.md. */
  calibration: z
    .enum(CALIBRATION_NAMES, `must be ${CALIBRATION_NAMES.map(name => `'${name}'`).join(' or ')}`)
    .default('default'),
  /** Enables requests for gender, age and emotions. */
  gae: flag.default(false),
  /** The models for these attributes, by their contract names. */
  model_emotions: model('emotion_1').default(''),
  model_age: model('fr_1_age0').default(''),
  model_gender: model('fr_1_gender0').default(''),
  /** Identify returns results of the available shards when others fail, unless `strict` is set. */
  tntapi_ignore_search_errors: flag.default(true),
})

export type Options = z.output<typeof OptionsSchema>

export const DEFAULT_OPTIONS: Options = OptionsSchema.parse({})
