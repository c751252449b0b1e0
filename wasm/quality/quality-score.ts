/** One number for the quality of a face, and what lowers it most. */
import type { Quality } from '../../core/contract/model/quality.ts'

/** What is measured of a face. */
export type Measures = Omit<Quality, 'quality'>

/**
 * How far each measure falls short, 0 or more. Beyond these limits it does not matter: sharp photos measure .4 to .6,
 * contrast is .18 on average, turns of 20 degrees cost nothing, and the embedder is shown 112 pixels. A box that came with
 * the request has no score; it gets that of a typical detection.
 */
export const shortfallsOf = ({ sharpness, contrast, yaw, pitch, size, score = TYPICAL_SCORE }: Measures) => ({
  detail: Math.max(0, 0.45 - sharpness),
  light: Math.max(0, Math.log2(0.16 / Math.max(0.01, contrast))),
  pose: Math.max(0, Math.hypot(yaw, pitch) - 20),
  size: Math.max(0, Math.log2(112 / size)),
  visibility: 1 - score,
})

/** Mean over the LFW development pictures. */
const TYPICAL_SCORE = 0.985

export type Shortfalls = ReturnType<typeof shortfallsOf>

/**
 * Logistic regression of "matches another good picture of the person at `medium`" on the shortfalls: the constant, and what
 * each takes from it. Fitted by `npm run bench -- quality`, which prints them anew.
 */
const CONSTANT = 3.89
const COSTS: Shortfalls = { detail: 12.6, light: 1.37, pose: 0.026, size: 0.21, visibility: 23.3 }

/** The probability that the face matches another good picture of the same person at `medium`, 0..1. */
export const qualityScore = (measures: Measures): number =>
  1 / (1 + Math.exp(costsOf(measures).reduce((sum, [, cost]) => sum + cost, -CONSTANT)))

/** What is wrong with a picture of a face. */
export type QualityFault = 'blurred' | 'dark' | 'bright' | 'flat' | 'turned' | 'small' | 'unclear'

/** The least cost in log odds from which a property is named as the fault, also where the detector is sure of the face. */
const PLAIN_COST = 1

/** What costs the most. The detector's score falls with every other fault: it is named only where none of these is plain. */
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
    case 'visibility':
      return 'unclear'
  }
}

/** Faces that have too little contrast, by their mean lightness. */
const lightFault = (brightness: number): QualityFault =>
  brightness < 0.35 ? 'dark' : brightness > 0.7 ? 'bright' : 'flat'

const costsOf = (measures: Measures): [keyof Shortfalls, number][] =>
  (Object.entries(shortfallsOf(measures)) as [keyof Shortfalls, number][]).map(([name, shortfall]) => [
    name,
    COSTS[name] * shortfall,
  ])
