/** Prints the error rates of the named thresholds, as they are measured for a pack. */
import { readOptions } from '../../core/configuration/options.ts'
import { CALIBRATION_NAMES, thresholdRows, worstCase } from '../../models/calibrations.ts'
import { chosenPack } from '../../models/packs.ts'
import { printTable } from '../terminal/table.ts'

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
