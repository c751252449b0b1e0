/** What several looks say of the same place, weighed together: faces, and how sure they are. */
import { type Box, overlap, shorterSide } from '../core/contract/bbox.ts'
import type { Belief } from './belief.ts'
import type { Detection } from './detection.ts'

/** One look that was taken. */
export interface Look {
  readonly by: 'blazeface' | 'ssd'
  /** So much its boxes count among those of other looks. */
  readonly share: number
}

/** A detection, and which of the looks made it, by its number. */
export interface Sight extends Detection {
  readonly look: number
}

/** Sights that overlap this much are of one face, and faces that do are not two. */
const SAME_FACE = 0.35

/** Below this a look's score says nothing: it is what a look that sees nothing is taken to say. */
export const LEAST_SIGHT = 0.05

/**
 * Logarithmic odds of a face: so much of the mean of BlazeFace's looks, of SSD's, and of the logarithm of the shorter side
 * over 32 pixels as SSD sees it. Fitted by logistic regression; docs/decisions/0030-both-sides-of-a-face.md tells how.
 */
const WEIGHTS = { blazeface: 0.83, ssd: 2.09, side: -0.22, one: 3.1 }
const USUAL_SIDE = 32

/**
 * The faces that the sights are of, surest first, each once. `pixel`: the side of one of SSD's usual
 * pixels on the photo.
 */
export function weighed(sights: readonly Sight[], looks: readonly Look[], pixel: number): Detection[] {
  const weightOf = ({ look, score }: Sight): number => looks[look]!.share * score
  let rest = sights.toSorted((a, b) => weightOf(b) - weightOf(a))
  const faces: Detection[] = []
  while (rest.length > 0) {
    const first = rest[0]!
    const same = rest.filter(other => other === first || overlap(other.box, first.box) >= SAME_FACE)
    rest = rest.filter(other => !same.includes(other))
    const box = meanBox(same.map(sight => ({ box: sight.box, weight: weightOf(sight) })))
    const points = same.find(sight => sight.points)?.points
    const side = shorterSide(box) / pixel
    faces.push({ box, score: chance(oddsOf(same, looks, side)), ...(points && { points }) })
  }
  return distinct(faces)
}

/** The surest of faces that overlap, surest first. */
export function distinct(faces: readonly Detection[]): Detection[] {
  const kept: Detection[] = []
  for (const face of faces.toSorted((a, b) => b.score - a.score)) {
    if (kept.every(({ box }) => overlap(box, face.box) < SAME_FACE)) kept.push(face)
  }
  return kept
}

/**
 * One detector's word of a face, believed so much, and what is said of the same place by others: anything between both, so
 * that a little more or less belief changes little. Nothing where the others say nothing, and it is not believed at all.
 */
export function between(face: Detection, others: readonly Detection[], belief: Belief): Detection[] {
  const shared = (other: Detection): number => overlap(other.box, face.box)
  const [other] = others.toSorted((a, b) => shared(b) - shared(a))
  if (!other || shared(other) < SAME_FACE) return belief.score > 0 ? [face] : []
  const odds = belief.score * logOdds(face.score) + (1 - belief.score) * logOdds(other.score)
  const box = meanBox([
    { box: face.box, weight: belief.box },
    { box: other.box, weight: 1 - belief.box },
  ])
  return [{ ...face, box, score: chance(odds) }]
}

function meanBox(boxes: readonly { box: Box; weight: number }[]): Box {
  const total = boxes.reduce((sum, { weight }) => sum + weight, 0)
  const mean = (edge: keyof Box): number =>
    boxes.reduce((sum, { box, weight }) => sum + box[edge] * weight, 0) / total
  return { x1: mean('x1'), y1: mean('y1'), x2: mean('x2'), y2: mean('y2') }
}

/** Of a place where these are all sights; a look that has none there says the least. */
function oddsOf(sights: readonly Sight[], looks: readonly Look[], side: number): number {
  const said = looks.map((_, look) =>
    Math.max(
      logOdds(LEAST_SIGHT),
      ...sights.filter(sight => sight.look === look).map(({ score }) => logOdds(score)),
    ),
  )
  const mean = (network: Look['by']): number => {
    const values = said.filter((_, look) => looks[look]!.by === network)
    return values.reduce((sum, value) => sum + value, 0) / values.length
  }
  return (
    WEIGHTS.blazeface * mean('blazeface') +
    WEIGHTS.ssd * mean('ssd') +
    WEIGHTS.side * Math.log(side / USUAL_SIDE) +
    WEIGHTS.one
  )
}

const chance = (odds: number): number => 1 / (1 + Math.exp(-odds))
const logOdds = (score: number): number => Math.log(score / (1 - Math.min(score, 1 - 1e-6)))
