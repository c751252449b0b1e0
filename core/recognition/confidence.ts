/** Confidence as answers carry it. */
import type { Parts } from './parts.ts'

/** The calibrated confidence of a score, 0..1, with the four decimals that every answer and every threshold sees. */
export const confidenceOf = ({ confidence }: Pick<Parts, 'confidence'>, score: number): number =>
  Math.round(confidence(score) * 1e4) / 1e4
