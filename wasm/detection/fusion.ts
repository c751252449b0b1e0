/** Several detections of one face become one: within a pass, and between the overview and the refinement. */
import { type Box, overlap, shorterSide } from '../../core/contract/model/bbox.ts'
import type { Detection } from './detection.ts'

/** Boxes of one pass that overlap this much (intersection over union) are one face. */
export const NMS_OVERLAP = 0.3
/** SSD's boxes of one face agree better: a higher bound separates neighbours. */
const REFINED_OVERLAP = 0.4
/** Boxes of two passes that overlap this much are one face. */
const FUSION_OVERLAP = 0.38

/** The least score that a pass reports. A pass that reports nothing at a place counts as this score. */
export const MIN_CANDIDATE_SCORE = 0.05

/**
 * Log odds of a face = overview x its log odds + refinement x its log odds + bias. A face that only the overview sees
 * well has sureness x its log odds. Fitted by logistic regression, see docs/detection.md#fusion.
 */
export interface FusionWeights {
  readonly overview: number
  readonly refinement: number
  readonly bias: number
  readonly sureness: number
  /** Overview pixels from which the overview alone tells a face: the second pass does not see it whole, or not as well. */
  readonly alone: number
}

/** From this side in overview pixels on a face is large, and from this score on it is sure. Other things are seldom both. */
const LARGE_SIDE = 20
const SURE = 0.75

/** Is a face large in the overview, whose pixels have this side on the photo? */
export const isLarge = ({ box }: Detection, pixel: number): boolean => shorterSide(box) >= LARGE_SIDE * pixel
export const isLargeAndSure = (face: Detection, pixel: number): boolean =>
  isLarge(face, pixel) && face.score >= SURE

/** Weight of an overview's box beside a refinement's where the face is small. */
const OVERVIEW_BOX = 0.05
/** Weight of a refinement's box where the face is large: it counts where there is no other. */
const LEAST_SHARE = 1e-6

/**
 * Weighted non-maximum suppression: detections that overlap the surest one by at least `least` are averaged with it, by their
 * scores, and keep the surest one's score. Surest first. All of them have the same points, or none.
 */
export function mergeOverlapping(detections: readonly Detection[], least = NMS_OVERLAP): Detection[] {
  return groupsOf(detections, least, ({ score }) => score).map(group => {
    const [surest] = group
    const mean = meanBy(group, ({ score }) => score)
    const points = surest!.points?.map((_, i) => ({
      x: mean(({ points }) => points![i]!.x),
      y: mean(({ points }) => points![i]!.y),
    }))
    return { score: surest!.score, box: meanBox(mean), ...(points && { points }) }
  })
}

/** Faces of the overview alone, with the scores that their log odds and the sureness give. */
export const overviewFaces = (seen: readonly Detection[], { sureness }: FusionWeights): Detection[] =>
  mergeOverlapping(seen).map(face => ({ ...face, score: probability(sureness * logOdds(face.score)) }))

/** What two passes say of the same photo, surest first. `pixel` is the overview's, see tiling.ts. */
export function fuseDetections(
  overview: readonly Detection[],
  refined: readonly Detection[],
  pixel: number,
  weights: FusionWeights,
): Detection[] {
  const first = new Set(mergeOverlapping(overview))
  const all = [...first, ...mergeOverlapping(refined, REFINED_OVERLAP)]
  const sideOf = ({ box }: Detection): number => shorterSide(box) / pixel
  const order = (one: Detection) => one.score * (first.has(one) ? OVERVIEW_BOX : 1)
  const faces = groupsOf(all, FUSION_OVERLAP, order).map(group => {
    const isKnown = group.some(one => first.has(one) && one.score >= SURE && sideOf(one) >= weights.alone)
    const alone = isKnown ? 1 : Math.min(1, Math.max(0, sideOf(group[0]!) / weights.alone - 1))
    const oddsOf = (isFirst: boolean): number =>
      logOdds(
        Math.max(
          MIN_CANDIDATE_SCORE,
          ...group.filter(one => first.has(one) === isFirst).map(({ score }) => score),
        ),
      )
    const fused = weights.overview * oddsOf(true) + weights.refinement * oddsOf(false) + weights.bias
    const odds = alone * weights.sureness * oddsOf(true) + (1 - alone) * fused
    const share = (one: Detection) =>
      first.has(one) ? Math.max(OVERVIEW_BOX, alone) : Math.max(LEAST_SHARE, 1 - alone)
    const box = meanBox(meanBy(group, one => share(one) * one.score))
    const points = group.find(one => one.points)?.points
    return { box, score: probability(odds), ...(points && { points }) }
  })
  return groupsOf(faces, FUSION_OVERLAP, ({ score }) => score).map(([surest]) => surest!)
}

/** Groups of overlapping detections. The highest rank leads each group, and the groups are in this order. */
function groupsOf(
  detections: readonly Detection[],
  least: number,
  rank: (detection: Detection) => number,
): Detection[][] {
  let rest = detections.toSorted((a, b) => rank(b) - rank(a))
  const groups: Detection[][] = []
  while (rest.length > 0) {
    const leader = rest[0]!
    const group = rest.filter(one => one === leader || overlap(one.box, leader.box) >= least)
    rest = rest.filter(one => !group.includes(one))
    groups.push(group)
  }
  return groups
}

type Mean = (value: (detection: Detection) => number) => number

/** The weighted mean of a value over some detections. */
function meanBy(detections: readonly Detection[], weight: (detection: Detection) => number): Mean {
  const weights = detections.map(weight)
  const total = weights.reduce((sum, one) => sum + one, 0)
  return value => detections.reduce((sum, one, i) => sum + value(one) * weights[i]!, 0) / total
}

const meanBox = (mean: Mean): Box => ({
  x1: mean(({ box }) => box.x1),
  y1: mean(({ box }) => box.y1),
  x2: mean(({ box }) => box.x2),
  y2: mean(({ box }) => box.y2),
})

const probability = (odds: number): number => 1 / (1 + Math.exp(-odds))
const logOdds = (score: number): number => {
  const bounded = Math.min(1 - 1e-6, Math.max(1e-6, score))
  return Math.log(bounded / (1 - bounded))
}
