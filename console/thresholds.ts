/** The named thresholds of the API, as confidences. Source: contract/model/face.ts; a test compares them. */
export const THRESHOLDS = { low: 0.569, medium: 0.6616, strict: 0.7834 } as const

type Tier = keyof typeof THRESHOLDS | 'none'

/** The strictest threshold that a confidence reaches. */
export function tierOf(confidence: number): Tier {
  if (confidence >= THRESHOLDS.strict) return 'strict'
  if (confidence >= THRESHOLDS.medium) return 'medium'
  return confidence >= THRESHOLDS.low ? 'low' : 'none'
}

/** Whether two faces are of one person: reached by 1 in 100,000 and 1 in 1,000 pairs of strangers, or by fewer of one person. */
export function pairVerdict(confidence: number): 'same' | 'probable' | 'different' {
  if (confidence >= THRESHOLDS.strict) return 'same'
  return confidence >= THRESHOLDS.medium ? 'probable' : 'different'
}
