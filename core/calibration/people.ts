/** Groups an operator's pictures by person: as they are named, with people merged whose pictures show one person. */
import { dot } from '../vector-store/unit-vector.ts'
import { greatestOf } from './tail.ts'

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
