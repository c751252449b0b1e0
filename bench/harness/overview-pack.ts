/** A pack like `standard`, except that its detector has only the overview and finds fewer small faces. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BUILT_FILES } from '#models/files.ts'
import { type BlazefaceModel, STANDARD } from '#models/manifest.ts'

export const OVERVIEW = 'overview'

const MIEN = join(import.meta.dirname, '..', '..', 'commands', 'mien.js')

/** Adds the pack to a data folder with `mien models add`. */
export async function addOverviewPack(data: string): Promise<void> {
  const { mtcnn: _, ...detector } = STANDARD.detector as BlazefaceModel
  const file = 'overview.onnx'
  const files = { [file]: { path: BUILT_FILES[detector.file]!.path, licence: 'MIT' } }
  const manifest = { files, packs: { [OVERVIEW]: { detector: { ...detector, file } } } }
  const path = join(data, 'overview.json')
  await writeFile(path, JSON.stringify(manifest))
  models('add', path, data)
}

/** Chooses the pack with `mien models use`. */
export const useOverviewPack = (data: string): void => models('use', OVERVIEW, data)

function models(verb: string, subject: string, data: string): void {
  execFileSync(process.execPath, [MIEN, 'models', verb, subject, '--data', data], { stdio: 'ignore' })
}
