/** Compares pairs of strangers of a labelled population, weighted to give each group equal weight. */
import { dot } from '#core/vector-store/unit-vector.ts'

/** A person's group and embedding. */
interface Stranger {
  readonly group: string
  readonly unit: Float32Array
}

/** All pairs of people, sorted by falling score. `first` and `second` are indices into the list of people. */
export interface StrangerPairs {
  readonly scores: Float32Array
  readonly first: Uint16Array
  readonly second: Uint16Array
  /** Index of each person's group in `groups`. */
  readonly groupOf: Uint8Array
  readonly groups: readonly string[]
}

/** Compares all pairs of people. Pairs with a score of `bar` or more are left out. */
export function comparedStrangers(
  people: readonly Stranger[],
  bar = Number.POSITIVE_INFINITY,
): StrangerPairs {
  const groups = [...new Set(people.map(({ group }) => group))].sort()
  const [scores, places] = [[] as number[], [] as number[]]
  for (let a = 0; a < people.length; a++) {
    for (let b = 0; b < a; b++) {
      const score = dot(people[a]!.unit, people[b]!.unit, 0)
      if (score >= bar) continue
      scores.push(score)
      places.push(a * people.length + b)
    }
  }
  const order = Uint32Array.from(scores.keys()).sort((one, other) => scores[other]! - scores[one]!)
  return {
    scores: Float32Array.from(order, pair => scores[pair]!),
    first: Uint16Array.from(order, pair => Math.floor(places[pair]! / people.length)),
    second: Uint16Array.from(order, pair => places[pair]! % people.length),
    groupOf: Uint8Array.from(people, ({ group }) => groups.indexOf(group)),
    groups,
  }
}

/**
 * Selects pairs: any two people, or two people of one group, with equal weight of each group; or pairs within one
 * group, by its index.
 */
export type Whose = 'any' | 'alike' | number

/** The weight of each pair. Weights sum up to 1. */
export function weightsOf(pairs: StrangerPairs, whose: Whose): Float64Array {
  const { first, second, groupOf, groups } = pairs
  const count = groups.length
  const cells = new Float64Array(count * count)
  const cellOf = (pair: number) => {
    const [a, b] = [groupOf[first[pair]!]!, groupOf[second[pair]!]!]
    return Math.min(a, b) * count + Math.max(a, b)
  }
  for (let pair = 0; pair < first.length; pair++) cells[cellOf(pair)]!++
  return Float64Array.from(first, (_, pair) => {
    const cell = cellOf(pair)
    return shareOf(cell, count, whose) / cells[cell]!
  })
}

/** The total weight of the pairs between two groups. */
function shareOf(cell: number, count: number, whose: Whose) {
  const within = cell % (count + 1) === 0
  if (whose === 'any') return (within ? 1 : 2) / count ** 2
  if (whose === 'alike') return within ? 1 / count : 0
  return cell === whose * (count + 1) ? 1 : 0
}

/** The score that pairs with this total weight reach. */
export function scoreAt({ scores }: StrangerPairs, weights: Float64Array, share: number): number {
  let sum = 0
  for (let pair = 0; pair < weights.length; pair++) {
    sum += weights[pair]!
    if (sum >= share) return scores[pair]!
  }
  return scores[weights.length - 1]!
}

/** Number of pairs with at least this score. Pairs are sorted. */
export function reaching({ scores }: StrangerPairs, score: number): number {
  let [from, to] = [0, scores.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (scores[middle]! >= score) from = middle + 1
    else to = middle
  }
  return from
}

/** Total weight of the pairs with at least this score. */
export function shareAt(pairs: StrangerPairs, weights: Float64Array, score: number): number {
  let sum = 0
  for (let pair = reaching(pairs, score) - 1; pair >= 0; pair--) sum += weights[pair]!
  return sum
}
