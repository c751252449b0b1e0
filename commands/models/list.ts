/** `npm run models -- list | verify`. */
import { embedderLabel } from '../../core/embedding/label.ts'
import { chosenName, type PlacedPack, packsOf } from '../../models/packs.ts'
import { statesOf } from './checks.ts'
import type { ModelsCommand } from './options.ts'

export const list: ModelsCommand = async ({ data, pack }) => {
  const chosen = await chosenName(data, pack)
  const rows = (await packsOf(data)).map(async found => ({
    pack: found.name,
    chosen: found.name === chosen ? 'yes' : '',
    files: countOf(await statesOf(found)),
    measured: found.embedder.calibration ? 'yes' : 'no',
    licences: licencesOf(found),
    embedder: embedderLabel(found),
  }))
  console.table(await Promise.all(rows))
  return 0
}

function countOf(states: readonly (readonly [string, string])[]): string {
  const verified = states.filter(([, state]) => state === 'verified').length
  return `${verified} of ${states.length}`
}

const licencesOf = ({ files }: PlacedPack): string =>
  [...new Set(Object.values(files).map(({ licence }) => licence))].sort().join(', ')

/** Every file of every pack; those of packs that nobody has pulled may be missing as long as the pack is not chosen. */
export const verify: ModelsCommand = async ({ data, pack }) => {
  const chosen = await chosenName(data, pack)
  let faults = 0
  for (const found of await packsOf(data)) {
    const states = await statesOf(found)
    const isAbsent = found.name !== chosen && isUnpulled(found, states)
    for (const [file, state] of states) {
      const isFault = state === 'damaged' || (state === 'missing' && !isAbsent)
      console.log(`${found.name}: ${file} is ${isAbsent && state === 'missing' ? 'not pulled' : state}`)
      faults += isFault ? 1 : 0
    }
  }
  if (faults > 0) console.error(`${faults} files are missing or damaged.`)
  return faults > 0 ? 1 : 0
}

/** Whether all files that would have to be pulled are missing. */
const isUnpulled = ({ files }: PlacedPack, states: readonly (readonly [string, string])[]): boolean => {
  const pulled = states.filter(([file]) => 'url' in files[file]!)
  return pulled.length > 0 && pulled.every(([, state]) => state === 'missing')
}
