/** Compares all pairs of pictures of people. */

import { dot } from '#core/vector-store/unit-vector.ts'
import { times } from '#test/support/times.ts'

/** Number of pictures for the distribution of strangers' cosines. More pictures do not improve it. */
const SAMPLE = 2_000

/** At most `count` of these, evenly spread over the list. */
function spread<One>(all: readonly One[], count: number): One[] {
  const step = Math.max(1, all.length / count)
  return times(Math.min(count, all.length), i => all[Math.floor(i * step)]!)
}

/**
 * The least cosine at which two pictures count as one person's, from one picture each of many people. Let a and b be
 * the cosines that 1 in 100 and 1 in 1,000 pairs reach; the result is b + 2(b - a). Strangers' scores fall faster than
 * this extrapolation: fewer than 1 in 100,000 pairs of strangers reach it.
 */
export function samePersonCosine(units: readonly Float32Array[]): number {
  const some = spread(units, SAMPLE)
  const cosines = new Float64Array((some.length * (some.length - 1)) / 2)
  let at = 0
  for (const [i, one] of some.entries()) for (let j = 0; j < i; j++) cosines[at++] = dot(one, some[j]!, 0)
  cosines.sort()
  const [rare, rarer] = [greatestOf(cosines, 1e-2), greatestOf(cosines, 1e-3)]
  return rarer + 2 * (rarer - rare)
}

export interface PairScores {
  /** Ascending. */
  readonly strangers: Float32Array
  /** Ascending; empty when no person has two pictures. */
  readonly same: Float32Array
}

/** Scores all pairs. `people` holds the pictures of each person; `score` is called once per pair. */
export function pairScores<Picture>(
  people: readonly (readonly Picture[])[],
  score: (a: Picture, b: Picture) => number,
): PairScores {
  const pictures = people.flatMap((person, number) => person.map(picture => ({ number, picture })))
  const ofOne = people.reduce((sum, { length }) => sum + pairsOf(length), 0)
  const strangers = new Float32Array(pairsOf(pictures.length) - ofOne)
  const same = new Float32Array(ofOne)
  let [differing, equal] = [0, 0]
  for (const [i, a] of pictures.entries()) {
    for (let j = 0; j < i; j++) {
      const b = pictures[j]!
      const own = score(a.picture, b.picture)
      if (a.number === b.number) same[equal++] = own
      else strangers[differing++] = own
    }
  }
  return { strangers: strangers.sort(), same: same.sort() }
}

const pairsOf = (count: number) => (count * (count - 1)) / 2

/** The score that this share of all scores reaches. `rising` is sorted in ascending order. */
export const greatestOf = (rising: Float32Array | Float64Array, share: number): number =>
  rising[Math.max(0, rising.length - Math.max(1, Math.round(share * rising.length)))]!
