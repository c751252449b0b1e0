/** Calibration tables of a pack: from scores to confidences, with the error rates measured at each threshold. */
import * as z from 'zod'
import { Share } from '../contract/scalars.ts'

const rising = (table: readonly (readonly [number, number])[]) =>
  table.every(
    ([score, confidence], i) => i === 0 || (score > table[i - 1]![0] && confidence > table[i - 1]![1]),
  )

const CalibrationSchema = z
  .array(z.tuple([z.number(), Share]))
  .min(2)
  .refine(rising, 'scores and confidences must rise from row to row')

/**
 * Rows of [score, confidence], both rising, with linear interpolation between them. Made by `npm run bench --
 * calibrate`.
 */
export type Calibration = z.infer<typeof CalibrationSchema>

/**
 * The tables of a pack, named by the impostor pairs of their scores. `default`: any two people of a population
 * balanced over genders and groups. `alike`: two people of the same gender and group.
 */
export const CALIBRATION_NAMES = ['default', 'alike'] as const
export type CalibrationName = (typeof CALIBRATION_NAMES)[number]

/** Shares of the compared pairs that reach a named threshold. */
const ReachedSchema = z.strictObject({
  /** Any two strangers of the balanced population. */
  strangers: Share,
  /** Strangers of the same gender and group: the mean of the groups. */
  alike: Share,
  /**
   * The group with the highest false match rate, and the threshold that halves this rate, with the true match rate
   * `same` there.
   */
  worst: z.strictObject({
    group: z.string(),
    share: Share,
    halved: z.strictObject({ threshold: Share, same: Share }),
  }),
  /** Two pictures of one person (LFW). */
  same: Share,
})
export type Reached = z.infer<typeof ReachedSchema>

const MeasuredSchema = z.strictObject({ low: ReachedSchema, medium: ReachedSchema, strict: ReachedSchema })
/** Measurements at each named threshold with one table. */
export type Measured = z.infer<typeof MeasuredSchema>

const TablesSchema = z.strictObject({
  default: CalibrationSchema,
  alike: CalibrationSchema.optional(),
  /** Measurements of each table, if available. */
  measured: z.strictObject({ default: MeasuredSchema, alike: MeasuredSchema.optional() }).optional(),
})

/** The tables of a pack. A single table, as in older packs, is the default table. */
export const CalibrationsSchema = z.preprocess(
  tables => (Array.isArray(tables) ? { default: tables } : tables),
  TablesSchema,
)
export type Calibrations = z.infer<typeof CalibrationsSchema>

const NAMES = ['low', 'medium', 'strict'] as const

/** One row per named threshold. The keys are column headings. */
export const thresholdRows = (measured: Measured) =>
  NAMES.map(name => {
    const { strangers, alike, worst, same } = measured[name]
    return {
      threshold: name,
      'any two strangers': oneIn(strangers),
      'one gender and group': oneIn(alike),
      'worst group': `${oneIn(worst.share)} (${worst.group})`,
      recognised: percent(same),
    }
  })

/** Describes the false match rate of the worst group at a threshold, and the cost of halving it. */
export const worstCase = (name: string, { worst, same }: Reached): string =>
  `When both strangers are ${worst.group}, \`${name}\` takes ${oneIn(worst.share)} of them for one person. ` +
  `The threshold ${worst.halved.threshold} halves that, and recognises ${percent(worst.halved.same)} of true pairs instead of ${percent(same)}.`

/** Formats a share with two digits, for example `1 in 150`. */
const oneIn = (share: number) => `1 in ${Number((1 / share).toPrecision(2)).toLocaleString('en')}`

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
