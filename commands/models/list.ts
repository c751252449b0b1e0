/** `mien models list | verify`: prints packs, and checks their files. */
import { embedderLabel } from '../../core/embedding/label.ts'
import { chosenName } from '../../core/operations/upkeep/chosen-pack.ts'
import { type PlacedPack, packsOf } from '../../models/packs.ts'
import { printJson } from '../terminal/command-line.ts'
import { printTable } from '../terminal/table.ts'
import { statesOf } from './checks.ts'
import type { ModelsCommand } from './options.ts'

export const list: ModelsCommand = async ({ data, pack, json }) => {
  const chosen = await chosenName(data, pack)
  const packs = await Promise.all((await packsOf(data)).map(found => documentOf(found, chosen)))
  if (json) printJson(packs)
  else printTable(packs.map(rowOf), 'There are no packs.')
  return 0
}

/** Field names are documented in docs/command-line.md. */
async function documentOf(found: PlacedPack, chosen: string) {
  const states = await statesOf(found)
  return {
    pack: found.name,
    chosen: found.name === chosen,
    files: states.length,
    files_verified: states.filter(([, state]) => state === 'verified').length,
    calibrated: Boolean(found.embedder.calibration),
    embedder: embedderLabel(found),
    licences: licencesOf(found),
  }
}

type PackDocument = Awaited<ReturnType<typeof documentOf>>

const rowOf = ({ pack, chosen, files, files_verified, calibrated, licences, embedder }: PackDocument) => ({
  pack,
  chosen: chosen ? 'yes' : '',
  files: `${files_verified} of ${files}`,
  measured: calibrated ? 'yes' : 'no',
  embedder,
  licences: licences.join(', '),
})

const licencesOf = ({ files }: PlacedPack): string[] =>
  [...new Set(Object.values(files).map(({ licence }) => licence))].sort()

/** Checks every file of every pack. Files of a pack that was never pulled may be missing unless the pack is chosen. */
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

/** Whether all downloadable files of a pack are missing. */
const isUnpulled = ({ files }: PlacedPack, states: readonly (readonly [string, string])[]): boolean => {
  const pulled = states.filter(([file]) => 'url' in files[file]!)
  return pulled.length > 0 && pulled.every(([, state]) => state === 'missing')
}
