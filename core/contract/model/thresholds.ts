/** The named thresholds of the contract, on the scale of confidence. */

/** Each name promises a false match rate: strict 1e-5, medium 1e-3, low 1e-1; `none` asks for similarity only. */
export const THRESHOLDS = { strict: 0.7834, medium: 0.6616, low: 0.569, none: 0 } as const

export type ThresholdName = keyof typeof THRESHOLDS

export const DEFAULT_THRESHOLD = 0.75
