/** Checks the files of packs against their manifests. */
import { stat } from 'node:fs/promises'
import { ignoreCode } from '../../core/files/inspect.ts'
import { IS_RELEASE } from '../../core/files/program-form.ts'
import { readerOf } from '../../models/files.ts'
import type { PlacedPack } from '../../models/packs.ts'

export type FileState = 'verified' | 'missing' | 'damaged'

/** The state of each file of the pack, by name. Reads every byte. */
export async function statesOf({ files }: PlacedPack): Promise<[file: string, state: FileState][]> {
  const read = readerOf(files)
  return Promise.all(
    Object.entries(files).map(async ([file, { path }]) => {
      if (!(await stat(path).catch(ignoreCode('ENOENT')))) return [file, 'missing']
      return read(file).then(
        () => [file, 'verified'],
        () => [file, 'damaged'],
      )
    }),
  )
}

/** Throws an Error that names missing and damaged files, and how to restore them. */
export async function requireFiles(pack: PlacedPack): Promise<void> {
  const wrong = (await statesOf(pack)).filter(([, state]) => state !== 'verified')
  if (wrong.length === 0) return
  const list = wrong.map(([file, state]) => `${file} is ${state}`).join(', ')
  throw new Error(
    `The pack "${pack.name}" can't be used: ${list}. ${remediesOf(
      pack,
      wrong.map(([file]) => file),
    )}`,
  )
}

/** The commands that restore these files of the pack. */
export function remediesOf({ name, files }: PlacedPack, wrong: readonly string[]): string {
  const commands = wrong.map(file => {
    const entry = files[file]!
    if ('package' in entry) return IS_RELEASE ? 'npm install --global RELEASE, again' : 'mien models'
    return 'url' in entry ? `mien models pull ${name}` : 'mien models add FILE, again'
  })
  return `Run: ${[...new Set(commands)].join(', and ')}.`
}
