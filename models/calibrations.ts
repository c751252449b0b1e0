/** What the scores of a pack mean: its tables from scores to confidences, and what each lets through. */
import * as z from 'zod'

const rising = (table: readonly (readonly [number, number])[]): boolean =>
  table.every(
    ([score, confidence], i) => i === 0 || (score > table[i - 1]![0] && confidence > table[i - 1]![1]),
  )

export const CalibrationSchema = z
  .array(z.tuple([z.number(), z.number().min(0).max(1)]))
  .min(2)
  .refine(rising, 'scores and confidences must rise from row to row')

/** Rows of [score, confidence], both rising; straight lines between them. Made by `npm run bench -- calibrate`. */
export type Calibration = z.infer<typeof CalibrationSchema>

/**
 * The tables that a pack may have, by the strangers whose scores they are read from. `default`: any two people of a
 * population balanced over genders and groups. `alike`: two people of one gender and group.
 */
export const CALIBRATION_NAMES = ['default', 'alike'] as const
export type CalibrationName = (typeof CALIBRATION_NAMES)[number]

const share = z.number().min(0).max(1)

/** Which pairs reach a named threshold, as shares of those compared. */
const ReachedSchema = z.strictObject({
  /** Any two strangers of the balanced population. */
  strangers: share,
  /** Strangers of one gender and group: the mean of the groups. */
  alike: share,
  /** The group whose strangers reach it most often; and the confidence that half as many of them reach, with what `same` is there. */
  worst: z.strictObject({
    group: z.string(),
    share,
    halved: z.strictObject({ threshold: share, same: share }),
  }),
  /** Two pictures of one person (LFW). */
  same: share,
})
export type Reached = z.infer<typeof ReachedSchema>

const MeasuredSchema = z.strictObject({ low: ReachedSchema, medium: ReachedSchema, strict: ReachedSchema })
/** What reaches each named threshold by one table. */
export type Measured = z.infer<typeof MeasuredSchema>

const TablesSchema = z.strictObject({
  default: CalibrationSchema,
  alike: CalibrationSchema.optional(),
  /** What was measured of each table, where it was. */
  measured: z.strictObject({ default: MeasuredSchema, alike: MeasuredSchema.optional() }).optional(),
})

/** The tables of a pack. A lone table, as packs had them before there were two, is the default one. */
export const CalibrationsSchema = z.preprocess(
  tables => (Array.isArray(tables) ? { default: tables } : tables),
  TablesSchema,
)
export type Calibrations = z.infer<typeof CalibrationsSchema>
