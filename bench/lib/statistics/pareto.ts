/** Models the far tail of impostor scores: a generalised Pareto distribution fitted to the greatest scores. */
import { times } from '#test/support/times.ts'

/** Score and weight of a pair. */
export interface Weighed {
  readonly score: number
  readonly weight: number
}

/** A fitted tail. */
export interface Tail {
  /** Score at which the tail begins, and the share of all pairs above it. */
  readonly begin: number
  readonly above: number
  readonly scale: number
  /** Shape of the distribution. Negative: scores have an upper end. Zero: exponential decay. */
  readonly shape: number
}

/** Share of all pairs above a score. The score must lie in the tail. */
export const shareAbove = ({ begin, above, scale, shape }: Tail, score: number): number =>
  above * survival(score - begin, shape, scale)

/** The score that this share of all pairs exceeds. The share must be smaller than the tail's share. */
export const scoreAbove = ({ begin, above, scale, shape }: Tail, share: number): number =>
  begin + (shape === 0 ? scale * Math.log(above / share) : (scale / shape) * ((above / share) ** shape - 1))

/** Candidate shapes. Cosines end at 1, which excludes shapes above 0 (exponential decay). */
const SHAPES = times(26, i => (i - 25) / 50)

/**
 * Fits the scores from `begin` to `bar` by maximum likelihood. Pairs above the bar may show one person and are
 * ignored: the distribution is fitted as truncated there, then extended. `total` is the weight of all pairs.
 */
export function fitTail(pairs: readonly Weighed[], begin: number, bar: number, total: number): Tail {
  const seen = pairs.filter(({ score }) => score >= begin && score < bar)
  const weight = seen.reduce((sum, one) => sum + one.weight, 0)
  const mean = seen.reduce((sum, one) => sum + one.weight * (one.score - begin), 0) / weight
  const likelihood = (shape: number, scale: number) => {
    let sum = -weight * Math.log(1 - survival(bar - begin, shape, scale))
    for (const one of seen) sum += one.weight * logDensity(one.score - begin, shape, scale)
    return sum
  }
  let best = { shape: 0, scale: mean, likelihood: Number.NEGATIVE_INFINITY }
  for (const shape of SHAPES) {
    const scale = greatestAt(log => likelihood(shape, Math.exp(log)), Math.log(mean / 4), Math.log(mean * 8))
    const reached = likelihood(shape, Math.exp(scale))
    if (reached > best.likelihood) best = { shape, scale: Math.exp(scale), likelihood: reached }
  }
  const { shape, scale } = best
  const above = weight / (1 - survival(bar - begin, shape, scale)) / total
  return { begin, above, scale, shape }
}

/** Fraction of the tail above `y`, 0..1. */
function survival(y: number, shape: number, scale: number) {
  if (shape === 0) return Math.exp(-y / scale)
  const base = 1 + (shape * y) / scale
  return base <= 0 ? 0 : base ** (-1 / shape)
}

function logDensity(y: number, shape: number, scale: number) {
  if (shape === 0) return -Math.log(scale) - y / scale
  const base = 1 + (shape * y) / scale
  return base <= 0 ? Number.NEGATIVE_INFINITY : -Math.log(scale) - (1 + 1 / shape) * Math.log(base)
}

/** Position of the maximum of a unimodal function, by golden-section search. */
function greatestAt(value: (x: number) => number, low: number, high: number) {
  const golden = (Math.sqrt(5) - 1) / 2
  let [a, b] = [low, high]
  while (b - a > 1e-3) {
    const [c, d] = [b - golden * (b - a), a + golden * (b - a)]
    if (value(c) > value(d)) b = d
    else a = c
  }
  return (a + b) / 2
}
