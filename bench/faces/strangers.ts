/** Pairs of strangers of a labelled population, weighed so that each group counts the same. */
import { dot } from '../../core/store/unit-vector.ts'

/** A person as far as pairs are concerned. */
export interface Stranger {
  readonly group: string
  readonly unit: Float32Array
}

/** Every two people, by falling score. Places of people are those in the list that they were compared in. */
export interface StrangerPairs {
  readonly scores: Float32Array
  readonly first: Uint16Array
  readonly second: Uint16Array
  /** Of each person, the place of its group in `groups`. */
  readonly groupOf: Uint8Array
  readonly groups: readonly string[]
}

/** Compares every two people, but those of whom `same` says that they are one. */
export function comparedStrangers(
  people: readonly Stranger[],
  compare: (a: number, b: number) => number = (a, b) => dot(people[a]!.unit, people[b]!.unit, 0),
  same: (a: number, b: number) => boolean = () => false,
): StrangerPairs {
  const groups = [...new Set(people.map(({ group }) => group))].sort()
  const found: { score: number; a: number; b: number }[] = []
  for (let a = 0; a < people.length; a++)
    for (let b = 0; b < a; b++) if (!same(a, b)) found.push({ score: compare(a, b), a, b })
  found.sort((one, other) => other.score - one.score)
  return {
    scores: Float32Array.from(found, ({ score }) => score),
    first: Uint16Array.from(found, ({ a }) => a),
    second: Uint16Array.from(found, ({ b }) => b),
    groupOf: Uint8Array.from(people, ({ group }) => groups.indexOf(group)),
    groups,
  }
}

/** Whose pairs are meant: any two people, or two of one group; each group counts the same. */
export type Whose = 'any' | 'alike'

/** The weight of each pair; their sum is 1. `times` says how often each person counts, once unless given. */
export function weightsOf(pairs: StrangerPairs, whose: Whose, times?: Float64Array): Float64Array {
  const { first, second, groupOf, groups } = pairs
  const count = groups.length
  const cells = new Float64Array(count * count)
  const cellOf = (pair: number): number => {
    const [a, b] = [groupOf[first[pair]!]!, groupOf[second[pair]!]!]
    return Math.min(a, b) * count + Math.max(a, b)
  }
  const timesOf = (pair: number): number => (times ? times[first[pair]!]! * times[second[pair]!]! : 1)
  for (let pair = 0; pair < first.length; pair++) cells[cellOf(pair)]! += timesOf(pair)
  return Float64Array.from(first, (_, pair) => {
    const cell = cellOf(pair)
    const within = cell % (count + 1) === 0
    // Two people drawn from groups that are equally large: of different ones in two orders.
    const share = whose === 'alike' ? (within ? 1 / count : 0) : (within ? 1 : 2) / count ** 2
    return share === 0 ? 0 : (share * timesOf(pair)) / cells[cell]!
  })
}

/** The score that pairs of this weight reach. */
export function scoreAt({ scores }: StrangerPairs, weights: Float64Array, share: number): number {
  let sum = 0
  for (let pair = 0; pair < scores.length; pair++) {
    sum += weights[pair]!
    if (sum >= share) return scores[pair]!
  }
  return scores.at(-1)!
}

/** How many pairs have at least this score: the first ones. */
export function reaching({ scores }: StrangerPairs, score: number): number {
  let [from, to] = [0, scores.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (scores[middle]! >= score) from = middle + 1
    else to = middle
  }
  return from
}

/** The weight of the pairs that have at least this score. */
export function shareAt(pairs: StrangerPairs, weights: Float64Array, score: number): number {
  let sum = 0
  for (let pair = reaching(pairs, score) - 1; pair >= 0; pair--) sum += weights[pair]!
  return sum
}

/** Share of the strangers of each group, with one another, that have at least this score. */
export function sharesByGroup(
  { first, second, groupOf, groups, scores }: StrangerPairs,
  score: number,
): { group: string; share: number; pairs: number }[] {
  const [all, above] = [new Float64Array(groups.length), new Float64Array(groups.length)]
  for (let pair = 0; pair < scores.length; pair++) {
    const group = groupOf[first[pair]!]!
    if (group !== groupOf[second[pair]!]) continue
    all[group]!++
    if (scores[pair]! >= score) above[group]!++
  }
  return groups.map((group, i) => ({ group, share: above[i]! / all[i]!, pairs: all[i]! }))
}
