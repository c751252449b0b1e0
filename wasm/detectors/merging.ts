/** Merges detections of the same face. */
import { area, type Box, intersection, overlap } from '../../contract/model/bbox.ts'
import type { Detection } from './detection.ts'

/** Two boxes are one face from this overlap (intersection over union). */
export const SAME_OVERLAP = 0.3

/** Two boxes are also one face if this part of the smaller box is inside the larger one. Source: MTCNN's last stage. */
const SAME_PART = 0.7

export const isSameFace = (a: Box, b: Box): boolean =>
  overlap(a, b) >= SAME_OVERLAP || intersection(a, b) >= SAME_PART * Math.min(area(a), area(b))

/** Faces of one merging at most: each detection is compared with all of them. */
export const MOST_MERGED = 1_000

/**
 * Merges the detections of each face into the surest one: its score, and the mean of the boxes that overlap it by
 * SAME_OVERLAP, weighted by score. Sorted by falling score, MOST_MERGED at most. All detections have the same points, or none.
 */
export const mergeOverlapping = (detections: readonly Detection[]): Detection[] =>
  grouped(detections, isSameFace).map(([surest, ...others]) =>
    meanOf([surest, ...others.filter(({ box }) => overlap(box, surest.box) >= SAME_OVERLAP)]),
  )

/** Non-maximum suppression: no two boxes overlap by more than `most`. Sorted by falling score, MOST_MERGED at most. */
export const withoutOverlapping = (detections: readonly Detection[], most: number): Detection[] =>
  grouped(detections, (a, b) => overlap(a, b) > most).map(([surest]) => surest)

/** Whether merging may have left out detections of at least this score. */
export const isTruncated = (merged: readonly Detection[], leastScore: number): boolean =>
  merged.length === MOST_MERGED && merged.at(-1)!.score >= leastScore

type Group = [surest: Detection, ...others: Detection[]]

/** The detections of each face by falling score, up to the first one that exceeds MOST_MERGED faces. */
function grouped(detections: readonly Detection[], isOneFace: (a: Box, b: Box) => boolean): Group[] {
  const groups: Group[] = []
  for (const one of detections.toSorted((a, b) => b.score - a.score)) {
    const group = groups.find(([surest]) => isOneFace(one.box, surest.box))
    if (group) group.push(one)
    else if (groups.push([one]) === MOST_MERGED) break
  }
  return groups
}

/** The mean of a group whose first detection has the highest score. */
function meanOf(group: readonly Detection[]): Detection {
  const [{ score, points } = { score: 0 }] = group
  const total = group.reduce((sum, one) => sum + one.score, 0)
  const mean = (value: (detection: Detection) => number) =>
    group.reduce((sum, one) => sum + value(one) * one.score, 0) / total
  return {
    score,
    box: {
      x1: mean(({ box }) => box.x1),
      y1: mean(({ box }) => box.y1),
      x2: mean(({ box }) => box.x2),
      y2: mean(({ box }) => box.y2),
    },
    ...(points && {
      points: points.map((_, i) => ({
        x: mean(({ points }) => points![i]!.x),
        y: mean(({ points }) => points![i]!.y),
      })),
    }),
  }
}
