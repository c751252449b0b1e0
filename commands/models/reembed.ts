/** `mien models reembed`: converts all stored vectors to a pack, and then chooses the pack. */

import { join } from 'node:path'
import { countText } from '../../contract/counted.ts'
import { readLayout } from '../../core/configuration/environment.ts'
import { openEmbedder } from '../../core/embedding/embedder.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import type { DataKey } from '../../core/encryption/encrypt.ts'
import { deletionsOf } from '../../core/metadata/audit-log/chain.ts'
import { insertEntries, operator } from '../../core/metadata/audit-log/entries.ts'
import { unpicturedCount } from '../../core/metadata/faces/faces.ts'
import { reconcile } from '../../core/operations/consistency/reconcile.ts'
import { convert, dropFaces, type LostFaces } from '../../core/operations/service/reembed.ts'
import type { Stores } from '../../core/operations/services.ts'
import { choosePack } from '../../core/packs/pack-files.ts'
import { openStores } from '../../core/stores.ts'
import { VectorFileLocked } from '../../core/vector-store/folder-lock.ts'
import { recordedGeneration } from '../../core/vector-store/generation.ts'
import { openNextGeneration, serveNextGeneration } from '../../core/vector-store/open.ts'
import {
  chosenName,
  type PlacedPack,
  packNamed,
  REMOVED_PACKS,
  requireUsable,
  STANDARD_NAME,
} from '../../models/packs.ts'
import { dataKeyFor, picturesGiven } from '../terminal/data-folder.ts'
import { withProgress } from '../terminal/progress.ts'
import { type ModelsCommand, type ModelsOptions, requireFiles } from './list.ts'

/** Number of lost faces that are printed; the others are counted. */
const MAX_PRINTED = 20

export const reembed: ModelsCommand = async options => {
  const { data, subjects } = options
  const [name] = subjects
  const pack = await (name === undefined ? chosenOrStandard(data) : packNamed(data, name))
  requireUsable(pack)
  await requireFiles(pack)
  const folder = join(data, 'vectors')
  const dataKey = await dataKeyFor(data)
  const stores = await openStores(data, {
    ...options,
    ...(await picturesGiven()),
    dataKey,
    keepNext: true,
    shards: await readLayout(options.shardsFile),
    onDamage: what => console.error(`Damaged: ${what}`),
  }).catch(explainLock)
  try {
    await reconcile(stores)
    // A folder without a record is new.
    const stored = (await recordedGeneration(folder))?.embedder ?? embedderLabel(pack)
    const unpictured = await unpicturedCount(stores.database)
    if (stored === embedderLabel(pack)) console.log('All vectors are of this pack already.')
    else if (unpictured > 0 && !options.dropMissing) return refuseUnpictured(unpictured)
    else if (!(await convertTo(pack, stores, { ...options, dataKey }))) return 1
    // The switch happens while the folder is locked: enrolments into the old generation would be lost.
    else {
      await insertEntries(stores.database, [
        { actor: operator(), action: 'models.reembed', subject: { pack: pack.name } },
      ])
      await serveNextGeneration(folder, embedderLabel(pack))
    }
  } finally {
    await stores.close()
  }
  await choosePack(data, pack)
  console.log(`The pack "${pack.name}" is used from the next start on.`)
  return 0
}

/** The chosen pack; the standard pack instead of a removed pack. */
async function chosenOrStandard(data: string): Promise<PlacedPack> {
  const name = await chosenName(data)
  return packNamed(data, REMOVED_PACKS.includes(name) ? STANDARD_NAME : name)
}

function explainLock(error: unknown): never {
  throw error instanceof VectorFileLocked ? new Error('The service has to be stopped first.') : error
}

/** Creates the next generation. False when vectors cannot be converted and the operator has not accepted their loss. */
async function convertTo(
  pack: PlacedPack,
  stores: Stores,
  { data, dataKey, dropMissing }: ModelsOptions & { dataKey: DataKey | undefined },
) {
  const embedder = await openEmbedder({ pack })
  const next = await openNextGeneration(join(data, 'vectors'), embedderLabel(pack), { dataKey })
  try {
    const { embed } = embedder
    const { chip } = pack.embedder
    const lost = await withProgress('faces', onProgress => convert({ stores, next, chip, embed, onProgress }))
    if (lost.faces.length === 0 && lost.faceless === 0) return true
    printLost(lost)
    if (dropMissing) await dropLost(stores, lost)
    else console.error('Nothing is changed. With --drop-missing these are removed, and the others converted.')
    return dropMissing
  } finally {
    await Promise.all([embedder.close(), next.close()])
  }
}

/** Refuses before the conversion begins: faces without pictures cannot be embedded by another network. */
function refuseUnpictured(faces: number) {
  console.error(
    `Faces that were enrolled without pictures (MIEN_STORE_PICTURES=false), and can't be embedded again: ${faces}. ` +
      'Nothing is changed. With --drop-missing they are removed, and have to be enrolled again.',
  )
  return 1
}

async function dropLost(stores: Stores, { faces }: LostFaces) {
  await dropFaces(stores, faces)
  await insertEntries(stores.database, deletionsOf(faces, { actor: operator(), because: 'models.reembed' }))
}

function printLost({ faces, faceless }: LostFaces) {
  for (const { id } of faces.slice(0, MAX_PRINTED))
    console.error(`Face ${id} has no normalized picture that can be read.`)
  if (faces.length > MAX_PRINTED) console.error(`${faces.length - MAX_PRINTED} more of these.`)
  if (faceless > 0)
    console.error(
      `${countText(faceless, "vector in owners' galleries belongs", "vectors in owners' galleries belong")} to no face.`,
    )
}
