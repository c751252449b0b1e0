/** What a calibration came to, in words for the operator: counts and rates, never a name. */
import type { Gain } from '../../core/calibration/gain.ts'
import type { MadeCalibration } from '../../core/calibration/make.ts'
import type { Rates } from '../../core/calibration/rates.ts'

const percent = (share: number): string => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)} %`)
const rate = (share: number): string => share.toExponential(1)

const row = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(34) : cell.padStart(14))).join('')

/** What the pictures came to. */
export function describeMade({ merged, strangers }: MadeCalibration, people: number): string {
  const same = merged > 0 ? ` ${merged} of them look like another one and count as one with him.` : ''
  return `${people} people.${same} The table was read off ${strangers} pairs of strangers.`
}

/** The rates by the pack's table beside those of the calibration, on people who had no part in it. */
export function describeGain(gain: Gain | undefined): string {
  if (!gain) return 'There are too few people to hold some of them back: what this is worth was not measured.'
  const { pack, site } = gain
  const lines = [
    `What it is worth: made of half of the people and tried on the other half, and the other way round (${pack.strangers} pairs of strangers, ${pack.same} of one person):`,
    '',
    row(['', 'the pack', 'calibrated']),
    ...pack.named.flatMap((_, i) => namedRows(pack, site, i)),
    ...pack.at.map(({ falseMatches, trueMatches }, i) =>
      row([
        `true matches at ${rate(falseMatches)} false`,
        percent(trueMatches),
        percent(site.at[i]!.trueMatches),
      ]),
    ),
  ]
  if (pack.same === 0)
    lines.push('', 'Nobody has two pictures: put those of one person into a folder of their own.')
  return lines.join('\n')
}

const namedRows = (pack: Rates, site: Rates, i: number): string[] => {
  const [before, after] = [pack.named[i]!, site.named[i]!]
  return [
    row([`${before.name}: strangers let through`, rate(before.falseMatches), rate(after.falseMatches)]),
    row([`${before.name}: true matches`, percent(before.trueMatches), percent(after.trueMatches)]),
  ]
}
