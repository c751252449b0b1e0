/** Tables of calibration out of pairs of strangers: counted where enough pairs tell, else read off the fitted tail. */
import { THRESHOLDS } from '../../core/contract/model/thresholds.ts'
import type { Calibration } from '../../models/calibrations.ts'
import { fixed, quantile } from '../benchmark.ts'
import { fitTail, type Tail } from './pareto.ts'
import { reaching, type StrangerPairs, scoreAt, shareAt, type Whose, weightsOf } from './strangers.ts'

/** The false match rates that the contract's named thresholds promise. */
export const PROMISED = [
  { name: 'low', rate: 1e-1, confidence: THRESHOLDS.low },
  { name: 'medium', rate: 1e-3, confidence: THRESHOLDS.medium },
  { name: 'strict', rate: 1e-5, confidence: THRESHOLDS.strict },
] as const

/** A rate is counted where at least this many pairs reach it. */
const LEAST_COUNTED = 100

/** The number of greatest scores that the tail is fitted to. */
const TAIL_PAIRS = 2_000

/** Of fewer pairs no tail is fitted. */
const LEAST_FITTED = 10_000

/** It begins at this share of the pairs at most. */
const BEGIN = 0.02

/** So far below the score of the greatest rate lies that of any draw. */
const MARGIN = 0.03

/** People are drawn anew so many times for the interval, of which it leaves out 1 in 40 at each end. */
const DRAWS = 100
const OUTSIDE = 0.025

export interface MadeTable {
  readonly table: Calibration
  /** The scores of the named thresholds, and where 95 % of the draws of other people lie. */
  readonly scores: {
    name: (typeof PROMISED)[number]['name']
    score: number
    from: number
    to: number
    counted: boolean
  }[]
}

/**
 * The table of the pairs that are meant, which have been compared without those from `bar` up. Of counted scores it has the
 * upper ends of the intervals, for the promise to hold for other people. Fitted ones err on that side as they are: the
 * greatest of the scores below the bar are, by eye, mostly of one person.
 */
export function tableOf(pairs: StrangerPairs, whose: Whose, bar: number): MadeTable {
  const tail = tailOf(pairs, whose, bar)
  const isCounted = (rate: number): boolean => rate * tail.meant >= LEAST_COUNTED
  const scoresOf = (weights: Float64Array): number[] => {
    const fitted = tail.fitBy(weights)
    return PROMISED.map(({ rate }) => (isCounted(rate) ? scoreAt(pairs, weights, rate) : fitted.score(rate)))
  }
  const scores = scoresOf(tail.weights)
  // Only the pairs that the greatest rate needs are weighed anew.
  const top = reaching(pairs, scores[0]! - MARGIN)
  const drawn = drawnAnew(pairs, tail.weights.subarray(0, top), DRAWS, scoresOf)
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

/** A share of pairs, and where 95 % of the draws of other people lie. */
export interface Share {
  readonly share: number
  readonly from: number
  readonly to: number
}

/**
 * The shares of the pairs that are meant which reach each of these scores: counted below the bar, where enough do, else by
 * the tail. Without draws the intervals are empty.
 */
export function sharesAt(
  pairs: StrangerPairs,
  whose: Whose,
  bar: number,
  scores: readonly number[],
  draws = DRAWS,
): Share[] {
  const tail = tailOf(pairs, whose, bar)
  if (tail.meant < LEAST_FITTED) return countedAt(pairs, whose, scores)
  const isCounted = scores.map(
    score => score < bar && shareAt(pairs, tail.weights, score) * tail.meant >= LEAST_COUNTED,
  )
  const sharesOf = (weights: Float64Array): number[] => {
    const fitted = tail.fitBy(weights)
    return scores.map((score, i) => (isCounted[i] ? shareAt(pairs, weights, score) : fitted.share(score)))
  }
  const shares = sharesOf(tail.weights)
  const top = reaching(pairs, Math.min(tail.begin, ...scores))
  const drawn = drawnAnew(pairs, tail.weights.subarray(0, top), draws, sharesOf)
  return shares.map((share, i) => ({ share, ...interval(drawn.map(own => own[i]!)) }))
}

/** The score that this share of the pairs that are meant reach: counted below the bar, where enough do, else by the tail. */
export function scoreFor(pairs: StrangerPairs, whose: Whose, bar: number, share: number): number {
  const { weights, meant, fitBy } = tailOf(pairs, whose, bar)
  const counted = scoreAt(pairs, weights, share)
  return share * meant >= LEAST_COUNTED && counted < bar ? counted : fitBy(weights).score(share)
}

/** Shares as `sharesAt` has them, counted: for few pairs, and scores that many reach. */
export function countedAt(pairs: StrangerPairs, whose: Whose, scores: readonly number[]): Share[] {
  const weights = weightsOf(pairs, whose)
  const sharesOf = (own: Float64Array): number[] => scores.map(score => shareAt(pairs, own, score))
  const top = weights.subarray(0, reaching(pairs, Math.min(...scores)))
  const meant = weights.reduce((sum, weight) => sum + Number(weight > 0), 0)
  const drawn = drawnAnew(pairs, top, DRAWS, sharesOf)
  return sharesOf(weights).map((share, i) => {
    // Of n pairs none: the true share is, at 95 %, below 3 / n.
    if (share === 0) return { share, from: 0, to: 3 / meant }
    return { share, ...interval(drawn.map(own => own[i]!)) }
  })
}

/** Where the tail of the pairs that are meant begins, and how it is fitted by other weights. */
function tailOf(pairs: StrangerPairs, whose: Whose, bar: number) {
  const weights = weightsOf(pairs, whose)
  const meant = weights.reduce((sum, weight) => sum + Number(weight > 0), 0)
  const begin = scoreAt(pairs, weights, Math.min(BEGIN, TAIL_PAIRS / meant))
  const fitBy = (own: Float64Array): Tail => fitTail(weighed(pairs, own, begin), begin, bar, 1)
  return { weights, meant, begin, fitBy }
}

/** What is read off the same pairs when other people are drawn. */
function drawnAnew<Read>(
  pairs: StrangerPairs,
  weights: Float64Array,
  draws: number,
  read: (weights: Float64Array) => Read,
): Read[] {
  const next = uniform(1)
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

/** As many people of each group as there are, drawn with replacement: how often each was drawn. */
function timesDrawn(groupOf: Uint8Array, next: () => number): Float64Array {
  const times = new Float64Array(groupOf.length)
  const places = Map.groupBy(groupOf.keys(), place => groupOf[place]!)
  for (const own of places.values()) for (const _ of own) times[own[Math.floor(next() * own.length)]!]!++
  return times
}

/** Repeatable numbers from 0 to below 1 (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
