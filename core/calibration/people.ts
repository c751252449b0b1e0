/** The people of an operator's pictures: as they were named, but for those whose pictures say that they are one. */
import { dot } from '../vector-store/unit-vector.ts'
import { greatestOf } from './tail.ts'

/** Unit embeddings of one person's pictures, one at least. */
export type Person = readonly Float32Array[]

/** Pictures that the usual cosine of strangers is read off; more of them tell no better. */
const SAMPLE = 2_000

/**
 * The same people, those made one who have pictures more alike than strangers' are: pictures that are there twice, names
 * that are misspelt, and several pictures of one person in a folder where everybody should be another.
 */
export function mergeAlike(people: readonly Person[]): Person[] {
  const bar = samePersonCosine(people.map(person => person[0]!))
  const leaders = people.map((_, i) => i)
  const leader = (i: number): number => {
    while (leaders[i] !== i) i = leaders[i] = leaders[leaders[i]!]!
    return i
  }
  for (const [i, person] of people.entries()) {
    for (let j = 0; j < i; j++) {
      if (leader(i) !== leader(j) && areAlike(person, people[j]!, bar)) leaders[leader(i)] = leader(j)
    }
  }
  return [...Map.groupBy(people, (_, i) => leader(i)).values()].map(same => same.flat())
}

/** Every other person, and the others: two halves that have nobody in common. */
export const halves = <One>(people: readonly One[]): [One[], One[]] => [
  people.filter((_, i) => i % 2 === 0),
  people.filter((_, i) => i % 2 === 1),
]

/** At most `count` of these, from all over the list. */
export function spread<One>(all: readonly One[], count: number): One[] {
  const step = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)]!)
}

const areAlike = (a: Person, b: Person, bar: number): boolean =>
  a.some(one => b.some(other => dot(one, other, 0) >= bar))

/**
 * The cosine from which two pictures are taken for one person's, out of one picture each of many: as far above the one
 * stranger in a thousand as two steps from one in a hundred to one in a thousand. Scores of strangers fall quicker than
 * that, so not one pair in 100,000 of strangers is taken for one person.
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
