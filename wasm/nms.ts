/** Several detections of one face made one. */
import { overlap } from '../core/contract/bbox.ts'
import type { Detection } from './detection.ts'

/** Boxes of one detector that overlap this much are one face. */
export const SAME_FACE = 0.3

/**
 * Weighted non-maximum suppression: detections that overlap the surest one by at least `least` (intersection over
 * union) are averaged with it, each by its score, and count as one face with the surest one's score. Surest first. All
 * are of one network: they have the same points, or none.
 */
export function merged(detections: readonly Detection[], least: number): Detection[] {
  let rest = detections.toSorted((a, b) => b.score - a.score)
  const faces: Detection[] = []
  while (rest.length > 0) {
    const surest = rest[0]!
    const same = rest.filter(other => other === surest || overlap(other.box, surest.box) >= least)
    rest = rest.filter(other => !same.includes(other))
    faces.push({ ...average(same), score: surest.score })
  }
  return faces
}

/** The mean of boxes and points, weighted by score. */
function average(detections: readonly Detection[]): Pick<Detection, 'box' | 'points'> {
  const total = detections.reduce((sum, { score }) => sum + score, 0)
  const mean = (value: (detection: Detection) => number): number =>
    detections.reduce((sum, detection) => sum + value(detection) * detection.score, 0) / total
  const box = {
    x1: mean(d => d.box.x1),
    y1: mean(d => d.box.y1),
    x2: mean(d => d.box.x2),
    y2: mean(d => d.box.y2),
  }
  const points = detections[0]!.points?.map((_, i) => ({
    x: mean(d => d.points![i]!.x),
    y: mean(d => d.points![i]!.y),
  }))
  return { box, ...(points && { points }) }
}
