/** Tables of calibration out of pairs of strangers: counted where enough pairs tell, else read off the fitted tail. */
import { THRESHOLDS } from '../../core/contract/thresholds.ts'
import type { Calibration } from '../../models/calibrations.ts'
import { fixed, quantile } from '../benchmark.ts'
import { fitTail, type Tail } from './pareto.ts'
import { reaching, type StrangerPairs, scoreAt, type Whose, weightsOf } from './strangers.ts'

/** The false match rates that the contract's named thresholds promise. */
export const PROMISED = [
  { name: 'low', rate: 1e-1, confidence: THRESHOLDS.low },
  { name: 'medium', rate: 1e-3, confidence: THRESHOLDS.medium },
  { name: 'strict', rate: 1e-5, confidence: THRESHOLDS.strict },
] as const

/** A rate is counted where so many pairs reach it. */
const LEAST_COUNTED = 100

/** The tail is fitted to so many of the greatest scores. */
const TAIL_PAIRS = 2_000

/** People are drawn anew so many times for the interval, of which it leaves out 1 in 40 at each end. */
const DRAWS = 100
const OUTSIDE = 0.025

export interface MadeTable {
  readonly table: Calibration
  /** The scores of the named thresholds, and where 95 % of the draws of other people lie. */
  readonly scores: { name: string; score: number; from: number; to: number; counted: boolean }[]
}

/** The table of the pairs that are meant. Those from `bar` up may be of one person, and are in no fit. */
export function tableOf(pairs: StrangerPairs, whose: Whose, bar: number): MadeTable {
  const weights = weightsOf(pairs, whose)
  const meant = weights.reduce((sum, weight) => sum + Number(weight > 0), 0)
  const begin = scoreAt(pairs, weights, Math.min(0.05, TAIL_PAIRS / meant))
  const scoresOf = (own: Float64Array): number[] => {
    let tail: Tail | undefined
    return PROMISED.map(({ rate }) => {
      if (rate * meant >= LEAST_COUNTED) return scoreAt(pairs, own, rate)
      tail ??= fitTail(weighed(pairs, own, begin), begin, bar, 1)
      return tail.score(rate)
    })
  }
  const scores = scoresOf(weights)
  const next = uniform(1)
  const drawn = Array.from({ length: DRAWS }, () =>
    scoresOf(weightsOf(pairs, whose, timesDrawn(pairs.groupOf, next))),
  )
  return {
    table: [
      [0, 0],
      ...PROMISED.map(({ confidence }, i): [number, number] => [fixed(scores[i]!, 4), confidence]),
      [1, 1],
    ],
    scores: PROMISED.map(({ name, rate }, i) => {
      const all = drawn.map(own => own[i]!)
      const [from, to] = [quantile(all, OUTSIDE), quantile(all, 1 - OUTSIDE)]
      const counted = rate * meant >= LEAST_COUNTED
      return { name, score: fixed(scores[i]!, 4), from: fixed(from, 4), to: fixed(to, 4), counted }
    }),
  }
}

const weighed = (pairs: StrangerPairs, weights: Float64Array, begin: number) =>
  Array.from({ length: reaching(pairs, begin) }, (_, pair) => ({
    score: pairs.scores[pair]!,
    weight: weights[pair]!,
  })).filter(({ weight }) => weight > 0)

/** As many people of each group as there are, drawn with replacement: how often each was drawn. */
export function timesDrawn(groupOf: Uint8Array, next: () => number): Float64Array {
  const times = new Float64Array(groupOf.length)
  const places = Map.groupBy(groupOf.keys(), place => groupOf[place]!)
  for (const own of places.values()) for (const _ of own) times[own[Math.floor(next() * own.length)]!]!++
  return times
}

/** Repeatable numbers from 0 to below 1 (mulberry32). */
export function uniform(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
