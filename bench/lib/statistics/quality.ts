/** Judges and fits a quality score: error versus discard (ISO/IEC 29794-1), and a logistic regression. */
import { mean } from '../../statistics.ts'

/** A face, its quality, and its scores against pictures of the same person, of which there is at least one. */
export interface Probe {
  readonly quality: number
  readonly scores: readonly number[]
}

/** False non-match rates at a threshold after each of these shares of the faces is discarded, lowest quality first. */
export function errorsVersusDiscard(
  probes: readonly Probe[],
  threshold: number,
  shares: readonly number[],
): number[] {
  const rising = probes.toSorted((a, b) => a.quality - b.quality)
  return shares.map(share => falseNonMatches(rising.slice(Math.round(share * rising.length)), threshold))
}

/** Lower bound of the rate after discarding this share: that of a measure which discards only failing faces. */
export const leastError = (atFirst: number, share: number): number =>
  Math.max(0, (atFirst - share) / (1 - share))

/** Share of scores below the threshold, averaged over faces: each face has equal weight. */
const falseNonMatches = (probes: readonly Probe[], threshold: number): number =>
  mean(probes.map(({ scores }) => scores.filter(score => score < threshold).length / scores.length))

/** Inputs, outcome, and weight of the case. */
export interface Case {
  readonly inputs: readonly number[]
  readonly happened: boolean
  readonly weight: number
}

export interface Fit {
  constant: number
  /** Cost per unit of each input, subtracted from the constant; 0 or more. */
  costs: number[]
}

const STEPS = 1_500
const RATE = 0.05

/** Logistic regression in which every input lowers the probability. Minimises the log loss by Adam (Kingma and Ba, 2015), with costs clamped at zero. */
export function fitLogistic(cases: readonly Case[]): Fit {
  const count = cases[0]!.inputs.length
  // Scaling inputs to equal deviation makes them converge together.
  const scales = Array.from({ length: count }, (_, i) => deviation(cases.map(one => one.inputs[i]!)) || 1)
  const values = [1, ...Array.from({ length: count }, () => 0.1)]
  const means = values.map(() => 0)
  const squares = values.map(() => 0)
  for (let step = 1; step <= STEPS; step++) {
    const slopes = values.map(() => 0)
    for (const { inputs, happened, weight } of cases) {
      const sum = inputs.reduce((sum, input, i) => sum - (values[i + 1]! * input) / scales[i]!, values[0]!)
      const error = (weight * (1 / (1 + Math.exp(-sum)) - Number(happened))) / cases.length
      slopes[0]! += error
      for (const [i, input] of inputs.entries()) slopes[i + 1]! -= (error * input) / scales[i]!
    }
    for (const [i, slope] of slopes.entries()) {
      means[i] = 0.9 * means[i]! + 0.1 * slope
      squares[i] = 0.999 * squares[i]! + 0.001 * slope ** 2
      const mean = means[i]! / (1 - 0.9 ** step)
      values[i]! -= (RATE * mean) / (Math.sqrt(squares[i]! / (1 - 0.999 ** step)) + 1e-9)
      if (i > 0) values[i] = Math.max(0, values[i]!)
    }
  }
  return { constant: values[0]!, costs: values.slice(1).map((value, i) => value / scales[i]!) }
}

function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map(value => (value - middle) ** 2)))
}
