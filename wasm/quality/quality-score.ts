/** Combines quality measures to one score, and names the main fault of a picture. */
import type { Quality } from '../../contract/model/face-details.ts'

/** The measures of a face. */
export type Measures = Omit<Quality, 'quality'>

/**
 * Shortfall of each measure against its bound, 0 or more. Values beyond the bounds have no effect. Sources of the bounds: sharp
 * photos measure 0.4 to 0.6 and noise above 0.65; mean contrast is 0.18; turns of 20 degrees cost nothing; the embedder's input is
 * 112 px.
 */
export const shortfallsOf = ({ sharpness, contrast, yaw, pitch, size, score = TYPICAL_SCORE }: Measures) => ({
  detail: Math.max(0, 0.45 - sharpness) ** 2,
  light: Math.max(0, Math.log2(0.16 / Math.max(0.01, contrast))),
  pose: Math.max(0, Math.hypot(yaw, pitch) - 20),
  size: Math.max(0, Math.log2(112 / size)),
  visibility: 1 - score,
  grain: Math.max(0, sharpness - 0.65),
})

/** Mean over the LFW development pictures. */
const TYPICAL_SCORE = 0.984

type Shortfalls = ReturnType<typeof shortfallsOf>

/**
 * Logistic regression of "matches another good picture of the person at `medium`" on the shortfalls: the constant,
 * and the cost of each shortfall. Source: `npm run bench -- quality`. Light and size are set: its pictures have faces of one size, and
 * dark ones have noise.
 */
const CONSTANT = 4.3
const COSTS: Shortfalls = { detail: 75, light: 0.35, pose: 0.1, size: 0.95, visibility: 12, grain: 22 }

/** Probability that the face matches another good picture of the same person at `medium`, 0..1. */
export const qualityScore = (measures: Measures): number =>
  1 / (1 + Math.exp(costsOf(measures).reduce((sum, [, cost]) => sum + cost, -CONSTANT)))

/** The main defect of a face picture. */
export type QualityFault = 'blurred' | 'dark' | 'bright' | 'flat' | 'turned' | 'small' | 'grainy' | 'unclear'

/** Minimum cost in log odds to name a measure other than the detector's score as the fault. */
const PLAIN_COST = 1

/**
 * The measure with the highest cost. The detector's score falls with every other fault, and therefore counts only
 * when no other cost reaches PLAIN_COST.
 */
export function mainFault(measures: Measures): QualityFault {
  const costs = costsOf(measures)
  const plain = costs.filter(([name, cost]) => name !== 'visibility' && cost >= PLAIN_COST)
  const [most] = (plain.length > 0 ? plain : costs).reduce((worst, one) => (one[1] > worst[1] ? one : worst))
  switch (most) {
    case 'detail':
      return 'blurred'
    case 'light':
      return lightFault(measures.brightness)
    case 'pose':
      return 'turned'
    case 'size':
      return 'small'
    case 'grain':
      return 'grainy'
    case 'visibility':
      return 'unclear'
  }
}

/** The fault of faces with low contrast, by their mean lightness. */
const lightFault = (brightness: number): QualityFault =>
  brightness < 0.35 ? 'dark' : brightness > 0.7 ? 'bright' : 'flat'

const costsOf = (measures: Measures): [keyof Shortfalls, number][] =>
  (Object.entries(shortfallsOf(measures)) as [keyof Shortfalls, number][]).map(([name, shortfall]) => [
    name,
    COSTS[name] * shortfall,
  ])
