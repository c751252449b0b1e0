/** Groups pictures by person, merges people who are one person, and compares all pairs of pictures. */
import { dot } from '../vector-store/unit-vector.ts'

/** Unit embeddings of one person's pictures; at least one. */
export type Person = readonly Float32Array[]

/** Number of pictures for the distribution of strangers' cosines. More pictures do not improve it. */
const SAMPLE = 2_000

/**
 * Merges people who have pictures more alike than strangers' pictures: duplicates, misspelt names, and several pictures
 * of one person in a folder with one picture per person.
 */
export function mergeAlike(people: readonly Person[]): Person[] {
  const threshold = samePersonCosine(people.map(person => person[0]!))
  const leaders = people.map((_, i) => i)
  const leader = (i: number): number => {
    while (leaders[i] !== i) i = leaders[i] = leaders[leaders[i]!]!
    return i
  }
  for (const [i, person] of people.entries()) {
    for (let j = 0; j < i; j++) {
      if (leader(i) !== leader(j) && areAlike(person, people[j]!, threshold)) leaders[leader(i)] = leader(j)
    }
  }
  return [...Map.groupBy(people, (_, i) => leader(i)).values()].map(same => same.flat())
}

/** Splits people by even and odd index into two disjoint halves. */
export const halves = <One>(people: readonly One[]): [One[], One[]] => [
  people.filter((_, i) => i % 2 === 0),
  people.filter((_, i) => i % 2 === 1),
]

/** At most `count` of these, evenly spread over the list. */
export function spread<One>(all: readonly One[], count: number): One[] {
  const step = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)]!)
}

const areAlike = (a: Person, b: Person, threshold: number): boolean =>
  a.some(one => b.some(other => dot(one, other, 0) >= threshold))

/**
 * The least cosine at which two pictures count as one person's, from one picture each of many people. Let a and b be
 * the cosines that 1 in 100 and 1 in 1,000 pairs reach; the result is b + 2(b - a). Strangers' scores fall faster than
 * this extrapolation: fewer than 1 in 100,000 pairs of strangers are merged.
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

const pairsOf = (count: number): number => (count * (count - 1)) / 2

/** The tail for extrapolation begins where this many scores, or this share of all, are above. */
const TAIL_COUNT = 100
const TAIL_SHARE = 1e-4

/** The score that this share of all scores reaches. `rising` is sorted in ascending order. */
export const greatestOf = (rising: Float32Array | Float64Array, share: number): number =>
  rising[Math.max(0, rising.length - Math.max(1, Math.round(share * rising.length)))]!

/**
 * The score that this share of all would reach, extrapolated from the tail. Assumes that the number of scores halves
 * with each step from the tail's beginning to its median. Real scores fall faster: fewer than `share` reach the result.
 * The median is robust against the few top pairs that show one person under two names.
 */
export function tailScore(rising: Float32Array, share: number): number {
  const beyond = Math.ceil(Math.max(TAIL_COUNT, TAIL_SHARE * rising.length))
  const tail = rising.subarray(rising.length - beyond)
  const begin = tail[0]!
  const halving = tail[Math.floor(beyond / 2)]! - begin
  return begin + halving * Math.log2(beyond / rising.length / share)
}
