/**
 * Computes calibration tables from impostor pairs: counted rates where enough pairs exist, otherwise rates of a
 * fitted tail.
 */
import { THRESHOLDS } from '#contract/model/face.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import type { Calibration } from '#models/calibrations.ts'
import { fixed, quantile, sum } from '../../statistics.ts'
import { fitTail, scoreAbove, shareAbove } from './pareto.ts'
import { reaching, type StrangerPairs, scoreAt, shareAt, type Whose, weightsOf } from './strangers.ts'

/** The false match rates that the API guarantees for named thresholds. */
export const PROMISED = [
  { name: 'low', rate: 1e-1, confidence: THRESHOLDS.low },
  { name: 'medium', rate: 1e-3, confidence: THRESHOLDS.medium },
  { name: 'strict', rate: 1e-5, confidence: THRESHOLDS.strict },
] as const

/** Minimum number of pairs that reach a score to count its rate. */
const LEAST_COUNTED = 100

/** Number of greatest scores to which the tail is fitted. */
const TAIL_PAIRS = 2_000

/** Minimum number of pairs to fit a tail. */
const LEAST_FITTED = 10_000

/** Maximum share of pairs in the tail. */
const BEGIN = 0.02

/** Margin below the score of the greatest rate that contains the scores of all bootstrap draws. */
const MARGIN = 0.03

/** Number of bootstrap draws of people, and the part outside the interval at each end (1 in 40). */
const DRAWS = 100
const OUTSIDE = 0.025

export interface MadeTable {
  readonly table: Calibration
  /** Scores of the named thresholds, with 95 % bootstrap intervals over people. */
  readonly scores: {
    name: (typeof PROMISED)[number]['name']
    score: number
    from: number
    to: number
    counted: boolean
  }[]
}

/**
 * The table of the selected pairs, without pairs that score `bar` or more. For counted scores the table contains the upper ends of
 * the intervals: the guarantee then holds for other people. Fitted scores are already too high, because most of the greatest scores
 * below the bar belong to one person (checked by eye).
 */
export function tableOf(pairs: StrangerPairs, whose: Whose, bar: number): MadeTable {
  const tail = tailOf(pairs, whose, bar)
  const isCounted = (rate: number) => rate * tail.selected >= LEAST_COUNTED
  const scoresOf = (weights: Float64Array): number[] => {
    const fitted = tail.fitBy(weights)
    return PROMISED.map(({ rate }) =>
      isCounted(rate) ? scoreAt(pairs, weights, rate) : scoreAbove(fitted, rate),
    )
  }
  const scores = scoresOf(tail.weights)
  // Only pairs that the greatest rate needs are reweighted.
  const top = reaching(pairs, scores[0]! - MARGIN)
  const drawn = bootstrapped(pairs, tail.weights.subarray(0, top), DRAWS, scoresOf)
  const made = PROMISED.map(({ name, rate }, i) => {
    const { from, to } = interval(drawn.map(own => own[i]!))
    return {
      name,
      score: fixed(scores[i]!, 4),
      from: fixed(from, 4),
      to: fixed(to, 4),
      counted: isCounted(rate),
    }
  })
  return {
    table: [
      [0, 0],
      ...made.map(({ score, to, counted }, i): [number, number] => [
        counted ? to : score,
        PROMISED[i]!.confidence,
      ]),
      [1, 1],
    ],
    scores: made,
  }
}

/** A share of pairs with its 95 % bootstrap interval over people. */
export interface Share {
  readonly share: number
  readonly from: number
  readonly to: number
}

/**
 * Shares of the selected pairs that reach each of these scores: counted below the bar where enough pairs exist,
 * otherwise from the tail. Without draws the intervals are empty.
 */
export function sharesAt(
  pairs: StrangerPairs,
  whose: Whose,
  bar: number,
  scores: readonly number[],
  draws = DRAWS,
): Share[] {
  const tail = tailOf(pairs, whose, bar)
  if (tail.selected < LEAST_FITTED) return countedAt(pairs, whose, scores)
  const isCounted = scores.map(
    score => score < bar && shareAt(pairs, tail.weights, score) * tail.selected >= LEAST_COUNTED,
  )
  const sharesOf = (weights: Float64Array): number[] => {
    const fitted = tail.fitBy(weights)
    return scores.map((score, i) =>
      isCounted[i] ? shareAt(pairs, weights, score) : shareAbove(fitted, score),
    )
  }
  const shares = sharesOf(tail.weights)
  const top = reaching(pairs, Math.min(tail.begin, ...scores))
  const drawn = bootstrapped(pairs, tail.weights.subarray(0, top), draws, sharesOf)
  return shares.map((share, i) => ({ share, ...interval(drawn.map(own => own[i]!)) }))
}

/**
 * The score that this share of the selected pairs reaches: counted below the bar where enough pairs exist, otherwise
 * from the tail.
 */
export function scoreFor(pairs: StrangerPairs, whose: Whose, bar: number, share: number): number {
  const { weights, selected, fitBy } = tailOf(pairs, whose, bar)
  const counted = scoreAt(pairs, weights, share)
  return share * selected >= LEAST_COUNTED && counted < bar ? counted : scoreAbove(fitBy(weights), share)
}

/** Shares as in `sharesAt`, counted: for few pairs, and for scores that many pairs reach. */
export function countedAt(pairs: StrangerPairs, whose: Whose, scores: readonly number[]): Share[] {
  const weights = weightsOf(pairs, whose)
  const sharesOf = (own: Float64Array) => scores.map(score => shareAt(pairs, own, score))
  const top = weights.subarray(0, reaching(pairs, Math.min(...scores)))
  const selected = sum(weights.map(weight => Number(weight > 0)))
  const drawn = bootstrapped(pairs, top, DRAWS, sharesOf)
  return sharesOf(weights).map((share, i) => {
    // Rule of three: with no hit among n pairs, the true share is below 3 / n at 95 %.
    if (share === 0) return { share, from: 0, to: 3 / selected }
    return { share, ...interval(drawn.map(own => own[i]!)) }
  })
}

/** Start of the tail of the selected pairs, and a function that fits it with other weights. */
function tailOf(pairs: StrangerPairs, whose: Whose, bar: number) {
  const weights = weightsOf(pairs, whose)
  const selected = sum(weights.map(weight => Number(weight > 0)))
  const begin = scoreAt(pairs, weights, Math.min(BEGIN, TAIL_PAIRS / selected))
  const fitBy = (own: Float64Array) => fitTail(weighed(pairs, own, begin), begin, bar, 1)
  return { weights, selected, begin, fitBy }
}

/** Evaluates `read` for bootstrap draws of people. */
function bootstrapped<Read>(
  pairs: StrangerPairs,
  weights: Float64Array,
  draws: number,
  read: (weights: Float64Array) => Read,
): Read[] {
  const next = seededRandom(1)
  return Array.from({ length: draws }, () => {
    const times = timesDrawn(pairs.groupOf, next)
    return read(
      weights.map((weight, pair) => weight * times[pairs.first[pair]!]! * times[pairs.second[pair]!]!),
    )
  })
}

const interval = (drawn: readonly number[]) => ({
  from: quantile(drawn, OUTSIDE),
  to: quantile(drawn, 1 - OUTSIDE),
})

const weighed = (pairs: StrangerPairs, weights: Float64Array, begin: number) =>
  Array.from({ length: reaching(pairs, begin) }, (_, pair) => ({
    score: pairs.scores[pair]!,
    weight: weights[pair]!,
  })).filter(({ weight }) => weight > 0)

/** Draws as many people of each group as it has, with replacement. Returns how often each person was drawn. */
function timesDrawn(groupOf: Uint8Array, next: () => number): Float64Array {
  const times = new Float64Array(groupOf.length)
  const places = Map.groupBy(groupOf.keys(), place => groupOf[place]!)
  for (const own of places.values()) for (const _ of own) times[own[Math.floor(next() * own.length)]!]!++
  return times
}
