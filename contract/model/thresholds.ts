/** The named thresholds of the contract, as confidences. */

/** Least confidence for each name. Guaranteed FMR: strict 1e-5, medium 1e-3, low 1e-1. `none` accepts every candidate. */
export const THRESHOLDS = { strict: 0.7834, medium: 0.6616, low: 0.569, none: 0 } as const

export type ThresholdName = keyof typeof THRESHOLDS

/** Least confidence of a match when a request has no threshold. */
export const DEFAULT_THRESHOLD = 0.75
