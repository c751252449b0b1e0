/** What several looks say of the same place, weighed together: faces, and how sure they are. */
import { type Box, height, overlap, width } from '../core/contract/bbox.ts'
import type { Detection } from './detection.ts'

/** A detection, and which of the looks made it. */
export interface Sight extends Detection {
  /** 0 for BlazeFace's, 1 and more for each of SSD's. */
  readonly witness: number
}

/** Sights that overlap this much are of one face, and faces that do are not two. */
const SAME_SIGHT = 0.4
const SAME_FACE = 0.35

/** BlazeFace's boxes are less exact than SSD's where faces are small: so much they count. */
const BLAZEFACE_SHARE = 0.25

/** Below this a look's score says nothing: it is what a look that sees nothing is taken to say. */
export const LEAST_SIGHT = 0.08

/**
 * Logarithmic odds of a face: so much of BlazeFace's, of the mean of SSD's looks, and of the logarithm of the shorter side
 * over 32 pixels as SSD sees it. Fitted by logistic regression; docs/decisions/0014-two-networks-look-closer.md tells how.
 */
const WEIGHTS = { blazeface: 0.55, ssd: 2.25, side: -0.65, one: 2.3 }
const USUAL_SIDE = 32

/**
 * The faces that the sights are of, surest first, each once. `looks` is the number of SSD's looks, `pixel` the side of
 * one of their pixels on the photo.
 */
export function weighed(sights: readonly Sight[], looks: number, pixel: number): Detection[] {
  let rest = sights.toSorted((a, b) => weightOf(b) - weightOf(a))
  const faces: Detection[] = []
  while (rest.length > 0) {
    const [first] = rest
    const same = rest.filter(other => other === first || overlap(other.box, first!.box) >= SAME_SIGHT)
    rest = rest.filter(other => !same.includes(other))
    faces.push(faceOf(same, looks, pixel))
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

const weightOf = ({ score, witness }: Sight): number => (witness === 0 ? BLAZEFACE_SHARE : 1) * score

function faceOf(sights: readonly Sight[], looks: number, pixel: number): Detection {
  const total = sights.reduce((sum, sight) => sum + weightOf(sight), 0)
  const mean = (edge: keyof Box): number =>
    sights.reduce((sum, sight) => sum + sight.box[edge] * weightOf(sight), 0) / total
  const box = { x1: mean('x1'), y1: mean('y1'), x2: mean('x2'), y2: mean('y2') }
  const points = sights.find(sight => sight.points)?.points
  const side = Math.min(width(box), height(box)) / pixel
  return { box, score: sureness(sights, looks, side), ...(points && { points }) }
}

function sureness(sights: readonly Sight[], looks: number, side: number): number {
  const odds = Array<number>(looks + 1).fill(logOdds(LEAST_SIGHT))
  for (const { witness, score } of sights) odds[witness] = Math.max(odds[witness]!, logOdds(score))
  const [blazeface = 0, ...ssd] = odds
  const meanSsd = ssd.reduce((sum, value) => sum + value, 0) / looks
  const all =
    WEIGHTS.blazeface * blazeface +
    WEIGHTS.ssd * meanSsd +
    WEIGHTS.side * Math.log(side / USUAL_SIDE) +
    WEIGHTS.one
  return 1 / (1 + Math.exp(-all))
}

const logOdds = (score: number): number => Math.log(score / (1 - Math.min(score, 1 - 1e-6)))
