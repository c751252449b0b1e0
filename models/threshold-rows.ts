/** Describes the error rates of a table's named thresholds in words. */
import type { Measured, Reached } from './calibrations.ts'

const NAMES = ['low', 'medium', 'strict'] as const

/** One row per named threshold. The keys are column headings. */
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

/** Describes the false match rate of the worst group at a threshold, and the cost of halving it. */
export const worstCase = (name: string, { worst, same }: Reached): string =>
  `When both strangers are ${worst.group}, \`${name}\` takes ${oneIn(worst.share)} of them for one person. ` +
  `The threshold ${worst.halved.threshold} halves that, and recognises ${percent(worst.halved.same)} of true pairs instead of ${percent(same)}.`

/** Formats a share with two digits, for example `1 in 150`. */
export const oneIn = (share: number): string =>
  `1 in ${Number((1 / share).toPrecision(2)).toLocaleString('en')}`

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
