/** The people on a clip: groups of faces whose embeddings are alike, whatever their time and place. */
import type { SeenFace } from '#camera/tracker.ts'

/** A face and the index of its frame. */
export interface FrameFace extends SeenFace {
  readonly frame: number
}

/** Mean cosine of two groups of one person: that of the threshold `medium`. */
const SAME = 0.38

/** Groups by average linkage: the two groups with the greatest mean cosine are joined, while it is at least SAME. */
export function peopleOn(faces: readonly FrameFace[]): FrameFace[][] {
  const groups = faces.map(face => [face])
  for (;;) {
    let best: { cosine: number; a: number; b: number } | undefined
    for (let a = 0; a < groups.length; a++)
      for (let b = a + 1; b < groups.length; b++) {
        const cosine = meanCosine(groups[a]!, groups[b]!)
        if (cosine >= (best?.cosine ?? SAME)) best = { cosine, a, b }
      }
    if (!best) return groups
    groups[best.a]!.push(...groups[best.b]!)
    groups.splice(best.b, 1)
  }
}

/** The mean cosine; -1 for groups with a common frame, which are two people. */
function meanCosine(a: readonly FrameFace[], b: readonly FrameFace[]): number {
  const frames = new Set(a.map(({ frame }) => frame))
  if (b.some(({ frame }) => frames.has(frame))) return -1
  const sums = [a, b].map(group => sumOf(group))
  return sums[0]!.reduce((sum, value, i) => sum + value * sums[1]![i]!, 0) / (a.length * b.length)
}

const sumOf = (faces: readonly FrameFace[]): Float64Array =>
  faces.reduce(
    (sum, { embedding }) => sum.map((value, i) => value + embedding[i]!),
    new Float64Array(faces[0]!.embedding.length),
  )
