/** `mien models list | verify`: prints packs, and checks their files against the manifests. */
import { countText } from '../../contract/counted.ts'
import type { Configuration } from '../../core/configuration/environment.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { IS_RELEASE } from '../../core/files/program-form.ts'
import { type FileState, statesOf, wrongFiles } from '../../core/packs/pack-files.ts'
import { isBuilt } from '../../models/file-entry.ts'
import { chosenName, type PlacedPack, packsOf } from '../../models/packs.ts'
import { printJson } from '../terminal/command-line.ts'
import { printTable } from '../terminal/table.ts'

export interface ModelsOptions extends Configuration {
  /** Arguments of the command: names of packs, or files. */
  subjects: readonly string[]
  /** reembed: removes faces and vectors that cannot be converted. */
  dropMissing: boolean
  /** list: prints one JSON document instead of a table. */
  json?: boolean
}

/** Runs the command and returns the exit code: 0 on success. */
export type ModelsCommand = (options: ModelsOptions) => Promise<number>

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

const licencesOf = ({ files }: PlacedPack) =>
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
  if (faults > 0) console.error(`${countText(faults, 'file is', 'files are')} missing or damaged.`)
  return faults > 0 ? 1 : 0
}

/** Whether all downloadable files of a pack are missing. */
const isUnpulled = ({ files }: PlacedPack, states: readonly (readonly [string, string])[]) => {
  const pulled = states.filter(([file]) => 'url' in files[file]!)
  return pulled.length > 0 && pulled.every(([, state]) => state === 'missing')
}

export const stateText = (states: readonly [string, FileState][]): string =>
  states.map(([file, state]) => `${file} is ${state}`).join(', ')

/** Throws an Error that names missing and damaged files, and how to restore them. */
export async function requireFiles(pack: PlacedPack): Promise<void> {
  const wrong = await wrongFiles(pack)
  if (wrong.length > 0)
    throw new Error(`The pack "${pack.name}" can't be used: ${stateText(wrong)}. ${remediesOf(pack, wrong)}`)
}

/** The commands that restore these files of the pack. */
export function remediesOf({ name, files }: PlacedPack, wrong: readonly [string, FileState][]): string {
  const commands = wrong.map(([file]) => {
    const entry = files[file]!
    if (isBuilt(entry)) return IS_RELEASE ? 'npm install --global RELEASE, again' : 'mien models'
    return 'url' in entry ? `mien models pull ${name}` : 'mien models add FILE, again'
  })
  return `Run: ${[...new Set(commands)].join(', and ')}.`
}
