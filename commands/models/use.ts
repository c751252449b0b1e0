/** `mien models use | pull`: downloads the missing files of a pack, and chooses the pack. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { embedderLabel } from '../../core/embedding/label.ts'
import { closeDatabase, METADATA_FILE, openDatabase } from '../../core/metadata/database.ts'
import { faceCounts } from '../../core/metadata/faces/faces.ts'
import { choosePack, isPulled, pullFile, statesOf } from '../../core/packs/pack-files.ts'
import { recordedGeneration } from '../../core/vector-store/generation.ts'
import { type PlacedPack, packNamed, requireUsable } from '../../models/packs.ts'
import { metadataOf } from '../terminal/data-folder.ts'
import { withProgress } from '../terminal/progress.ts'
import { type ModelsCommand, requireFiles } from './list.ts'

export const use: ModelsCommand = async ({ data, subjects }) => {
  const { name } = await usePack(data, subjects[0]!)
  console.log(
    `The pack "${name}" is chosen. A service that runs keeps its pack: restart it. --pack and MIEN_PACK override the choice.`,
  )
  return 0
}

/**
 * Downloads missing files of the pack, and chooses it. Throws an Error, and keeps the choice, when it cannot be used
 * with the stored vectors, or a file is not available.
 */
export async function usePack(data: string, name: string): Promise<PlacedPack> {
  const pack = await packNamed(data, name)
  requireUsable(pack)
  await download(pack)
  await requireFiles(pack)
  await requireItsVectors(data, pack)
  await choosePack(data, pack)
  return pack
}

/** Throws an Error when stored faces have vectors of another embedder. */
async function requireItsVectors(data: string, pack: PlacedPack) {
  const stored = (await recordedGeneration(join(data, 'vectors')))?.embedder ?? embedderLabel(pack)
  if (stored === embedderLabel(pack) || (await countFaces(data)) === 0) return
  throw new Error(
    `The stored vectors are of ${stored}, and the pack "${pack.name}" makes vectors of ${embedderLabel(pack)}. ` +
      `mien models reembed ${pack.name} converts them.`,
  )
}

async function countFaces(data: string) {
  const settings = await metadataOf(data)
  if (!settings.database && !existsSync(join(data, METADATA_FILE))) return 0
  const database = await openDatabase(data, settings)
  try {
    return (await faceCounts(database)).reduce((sum, { faces }) => sum + faces, 0)
  } finally {
    await closeDatabase(database)
  }
}

export const pull: ModelsCommand = async ({ data, subjects }) => {
  const pack = await packNamed(data, subjects[0]!)
  await download(pack)
  await requireFiles(pack)
  console.log(`The pack "${pack.name}" is whole. To use it: mien models use ${pack.name}`)
  return 0
}

/** Downloads and verifies the missing or damaged files of a pack that have a URL. */
async function download(pack: PlacedPack) {
  for (const [name, state] of await statesOf(pack)) {
    const file = pack.files[name]!
    if (state === 'verified' || !isPulled(file)) continue
    await withProgress(name, show => {
      show(0, file.bytes)
      return pullFile(name, file, show)
    })
    console.log(`${name} is present and verified. Its licence is ${file.licence}.`)
  }
}
