/** Merges detections of the same face within a pass, and between the overview and the refinement. */
import { type Box, overlap, shorterSide } from '../../contract/model/bbox.ts'
import { type Detection, logOdds, probability } from './detection.ts'

/** Two boxes of one pass are one face from this overlap (intersection over union). */
export const NMS_OVERLAP = 0.3
/** The same for SSD. Its boxes of one face agree better; a higher bound keeps neighbours apart. */
const REFINED_OVERLAP = 0.4
/** Boxes of two passes are one face from this overlap. */
const FUSION_OVERLAP = 0.38

/** Minimum score that a pass reports. A pass without a detection at a place counts with this score. */
export const MIN_CANDIDATE_SCORE = 0.05

/**
 * Log odds of a face = overview x its log odds + refinement x its log odds + bias. If only the overview shows the
 * face well, they are sureness x its log odds. Fitted by logistic regression, see docs/detection.md#fusion.
 */
export interface FusionWeights {
  readonly overview: number
  readonly refinement: number
  readonly bias: number
  readonly sureness: number
  /**
   * Side in overview pixels from which the overview alone decides: the second pass shows the face cut off or less
   * well.
   */
  readonly alone: number
}

/** Bounds for a large face, in overview pixels, and for a high score. False detections rarely exceed both. */
const LARGE_SIDE = 20
const SURE = 0.75

/** True for a face that is large in the overview. `pixel` is the side of an overview pixel on the photo. */
export const isLarge = ({ box }: Detection, pixel: number): boolean => shorterSide(box) >= LARGE_SIDE * pixel
export const isLargeAndSure = (face: Detection, pixel: number): boolean =>
  isLarge(face, pixel) && face.score >= SURE

/** Weight of the overview's box next to the refinement's, for small faces. */
const OVERVIEW_BOX = 0.05
/** Weight of the refinement's box for large faces. It takes effect only when there is no other box. */
const LEAST_SHARE = 1e-6

/**
 * Weighted non-maximum suppression: detections that overlap the best one by at least `least` are averaged with it,
 * weighted by score. The result has the highest score. Sorted by falling score. All detections have the same points,
 * or none.
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

/** Faces of the overview alone. Their log odds are multiplied by the sureness. */
export const overviewFaces = (seen: readonly Detection[], { sureness }: FusionWeights): Detection[] =>
  mergeOverlapping(seen).map(face => ({ ...face, score: probability(sureness * logOdds(face.score)) }))

/**
 * Fuses the detections of two passes over the same photo, sorted by falling score. `pixel` belongs to the overview,
 * see tiling.ts.
 */
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

/** Groups overlapping detections. The detection with the highest rank leads its group; groups are sorted by rank. */
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

/** The weighted mean of a value over detections. */
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
