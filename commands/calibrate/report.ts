/** Describes a calibration for the operator: counts and rates, never a name. */
import type { Demographics } from '../../core/calibration/demographics.ts'
import type { Gain } from '../../core/calibration/gain.ts'
import type { MadeCalibration } from '../../core/calibration/make.ts'
import type { Rates } from '../../core/calibration/rates.ts'
import { readOptions } from '../../core/configuration/options.ts'
import { chosenPack } from '../../core/operations/upkeep/chosen-pack.ts'
import { CALIBRATION_NAMES, thresholdRows, worstCase } from '../../models/calibrations.ts'
import { printTable } from '../terminal/table.ts'

const percent = (share: number): string => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(1)} %`)
const rate = (share: number): string => share.toExponential(1)

const row = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(34) : cell.padStart(14))).join('')

/** The numbers of people and of compared pairs. */
export function describeMade({ merged, strangers }: MadeCalibration, people: number): string {
  const same = merged > 0 ? ` ${merged} of them look like another one and were merged with that person.` : ''
  return `${people} people.${same} The table was measured on ${strangers} pairs of strangers.`
}

/** The rates by the pack's table and by the calibration, on people who had no part in it. */
export function describeGain(gain: Gain | undefined): string {
  if (!gain) return 'The gain was not measured: there are too few people to hold some of them back.'
  const { pack, site } = gain
  const lines = [
    `The gain, from a calibration on each half of the people, tried on the other half (${pack.strangers} pairs of strangers, ${pack.same} of one person):`,
    '',
    row(['', 'the pack', 'calibrated']),
    ...pack.named.flatMap((_, i) => namedRows(pack, site, i)),
  ]
  if (gain.kinds.length > 0) {
    lines.push('', 'False matches of people of one estimated kind (before, after):', '')
    lines.push(row(['', 'medium', 'strict', 'pairs']), ...gain.kinds.map(kindRow))
  }
  if (pack.same === 0)
    lines.push('', 'Nobody has two pictures: put those of one person into a folder of their own.')
  return lines.join('\n')
}

function kindRow({ name, pack, site }: Gain['kinds'][number]): string {
  const both = (threshold: string) => {
    const at = (rates: Rates) => rates.named.find(one => one.name === threshold)!.falseMatches
    return `${rate(at(pack))} ${rate(at(site))}`
  }
  return row([name, both('medium'), both('strict'), String(pack.strangers)])
}

/** The groups among the people, and underrepresented groups: a calibration without a group serves it worse than none. */
export function describeMakeUp({ kinds, alone }: Demographics): string {
  const missing = kinds.filter(kind => kind.missing).map(({ name }) => name)
  return [
    `Who they are, as estimated: ${kinds.map(({ name, people }) => `${name} ${people}`).join(', ')}. ` +
      `${percent(alone)} resemble almost none of the others.`,
    ...(missing.length > 0
      ? [
          `Too few: ${missing.join(', ')}. If your cameras see people of these groups, add their pictures, or do without a calibration: it takes strangers of a missing group for one another more often than the pack's own table does.`,
        ]
      : []),
    'Groups by origin are not estimated. If your site has several, include pictures of all, and look at the rates by kind.',
  ].join('\n')
}

const namedRows = (pack: Rates, site: Rates, i: number): string[] => {
  const [before, after] = [pack.named[i]!, site.named[i]!]
  return [
    row([`${before.name}: false matches`, rate(before.falseMatches), rate(after.falseMatches)]),
    row([`${before.name}: true matches`, percent(before.trueMatches), percent(after.trueMatches)]),
  ]
}

/** Prints both tables of the data folder's pack, and which of them is used from the next start. */
export async function printThresholds({
  data,
  pack: preferred = process.env.MIEN_PACK,
  optionsFile,
}: {
  data: string
  pack?: string | undefined
  optionsFile?: string | undefined
}): Promise<void> {
  const { name: pack, embedder } = await chosenPack(data, preferred)
  const { options } = await readOptions({ data, optionsFile }, process.env)
  for (const name of CALIBRATION_NAMES) {
    const measured = embedder.calibration?.measured?.[name]
    const chosen = name === options.calibration ? ', chosen by MIEN_CALIBRATION or as the default' : ''
    if (!embedder.calibration?.[name]) continue
    console.log(`\nPack ${pack}, calibration "${name}"${chosen}:`)
    if (!measured) {
      console.log('The false matches at its thresholds were not measured by gender and group.')
      continue
    }
    printTable(thresholdRows(measured), '')
    console.log(worstCase('medium', measured.medium))
  }
}
