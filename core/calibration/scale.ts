/** What comparisons mean, the one place for the API and the store alike: cosine -> score -> confidence. */
import type { Calibration } from '../../models/calibrations.ts'
import { calibrated } from './table.ts'

/** How embeddings are compared at this installation. */
export interface Scale {
  /** Comparisons with this probe, an embedding of any length, as it was made. Throws VectorRefused when it has no direction. */
  with(probe: Float32Array): Comparisons
}

/** Comparisons of one probe with other embeddings. */
export interface Comparisons {
  /** Whether a score depends on more of the other embedding than its cosine with the probe. */
  readonly needsVectors: boolean
  /**
   * What candidates are ranked by, greater is closer; the same whichever of two is the probe. The vector is the other
   * embedding, as it was made; it may be left out unless it is needed.
   */
  score(cosine: number, vector?: Float32Array): number
  /** No embedding whose cosine is this or less has a greater score. Rises with the cosine. */
  greatestScore(cosine: number): number
  /** The calibrated confidence, 0..1, with the four decimals that every answer and every threshold sees. Never falls when the score rises. */
  confidence(score: number): number
}

/** Scores are the cosines themselves, and `confidence` (0..1, never falling) says what they mean. */
export function cosineScale(confidence: (score: number) => number): Scale {
  const comparisons: Comparisons = {
    needsVectors: false,
    score: cosine => cosine,
    greatestScore: cosine => cosine,
    confidence: score => fourDecimals(confidence(score)),
  }
  return { with: () => comparisons }
}

/** The scale of a pack's own table. */
export const packScale = (table: Calibration): Scale => cosineScale(calibrated(table))

export const fourDecimals = (value: number): number => Math.round(value * 1e4) / 1e4

/** Halvings that leave no cosine between the bounds that float32 vectors could have. */
const HALVINGS = 40

/** A cosine below which no embedding reaches this confidence; -1 when every one may. */
export function leastCosine({ greatestScore, confidence }: Comparisons, threshold: number): number {
  const reaches = (cosine: number) => confidence(greatestScore(cosine)) >= threshold
  if (reaches(-1)) return -1
  let [below, above] = [-1, 1]
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (below + above) / 2
    if (reaches(middle)) above = middle
    else below = middle
  }
  return below
}
