/** The named thresholds of the API, as confidences. Source: contract/model/face.ts; a test compares them. */
export const THRESHOLDS = { low: 0.569, medium: 0.6616, strict: 0.7834 } as const

type Tier = keyof typeof THRESHOLDS | 'none'

/** The strictest threshold that a confidence reaches. */
export function tierOf(confidence: number): Tier {
  if (confidence >= THRESHOLDS.strict) return 'strict'
  if (confidence >= THRESHOLDS.medium) return 'medium'
  return confidence >= THRESHOLDS.low ? 'low' : 'none'
}
