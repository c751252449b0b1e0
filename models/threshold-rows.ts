/** What the named thresholds of a table let through, in words for people who choose one. */
import type { Measured, Reached } from './calibrations.ts'

const NAMES = ['low', 'medium', 'strict'] as const

/** One row for each named threshold; the keys are heads of columns. */
export const thresholdRows = (measured: Measured) =>
  NAMES.map(name => {
    const { strangers, alike, worst, same } = measured[name]
    return {
      threshold: name,
      'any two strangers': oneIn(strangers),
      'one gender and group': oneIn(alike),
      'worst group': `${oneIn(worst.share)} (${worst.group})`,
      recognised: percent(same),
    }
  })

/** What a threshold does to its worst group, and the price of halving that. */
export const worstCase = (name: string, { worst, same }: Reached): string =>
  `When both strangers are ${worst.group}, \`${name}\` takes ${oneIn(worst.share)} of them for one person. ` +
  `The threshold ${worst.halved.threshold} halves that, and recognises ${percent(worst.halved.same)} of true pairs instead of ${percent(same)}.`

/** Such as `1 in 150`: two digits. */
export const oneIn = (share: number): string =>
  `1 in ${Number((1 / share).toPrecision(2)).toLocaleString('en')}`

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
