/** `mien store repair`: rebuilds lost data of a data folder, or accepts its loss. */

import { join } from 'node:path'
import { countText } from '../../contract/counted.ts'
import { verifyAll } from '../../core/backup/verify.ts'
import { readLayout } from '../../core/configuration/environment.ts'
import { openEmbedder } from '../../core/embedding/embedder.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { holdsSomething, readInstallation } from '../../core/files/record.ts'
import { deletionsOf } from '../../core/metadata/audit-log/chain.ts'
import { insertEntries, operator } from '../../core/metadata/audit-log/entries.ts'
import { METADATA_FILE } from '../../core/metadata/database.ts'
import {
  acceptInstallation,
  checkInstallation,
  InstallationRefused,
} from '../../core/operations/consistency/installation.ts'
import { reconcile } from '../../core/operations/consistency/reconcile.ts'
import { type Repair, repair as repairStores } from '../../core/operations/service/repair.ts'
import type { Stores } from '../../core/operations/services.ts'
import { openStores } from '../../core/stores.ts'
import { chosenPack, requireUsable } from '../../models/packs.ts'
import { picturesGiven } from '../terminal/data-folder.ts'
import { withProgress } from '../terminal/progress.ts'
import { removedEmbedderIn, type StoreCommand, type StoreOptions } from './open.ts'

export const repair: StoreCommand = async options => {
  const { data, yes } = options
  if (await metadataIsLost(options)) return refuseWithoutMetadata(data)
  const removed = await removedEmbedderIn(data)
  if (removed !== undefined)
    throw new Error(
      `The vectors are of ${removed}: repair them with version 0.2, then run "mien models reembed" with this one.`,
    )
  const pack = requireUsable(await chosenPack(data, options.pack))
  const stores = await openStores(data, {
    ...options,
    ...(await picturesGiven()),
    embedder: embedderLabel(pack),
    shards: await readLayout(options.shardsFile),
    repair: true,
    onDamage: what => console.error(`Damaged: ${what}`),
  })
  try {
    if (yes) await reconcile(stores)
    const embedder = await openEmbedder({ pack })
    const done = await withProgress('faces', show =>
      repairStores({
        stores,
        embed: embedder.embed,
        chip: pack.embedder.chip,
        apply: yes,
        accept: options.acceptLoss,
        removed: faces =>
          insertEntries(stores.database, deletionsOf(faces, { actor: operator(), because: 'store.repair' })),
        onProgress: faces => show(faces, faces),
      }),
    ).finally(() => embedder.close())
    printRepair(done)
    return await conclude(options, stores, done)
  } finally {
    await stores.close()
  }
}

/** Whether the folder's metadata file is missing, and the operator has not accepted its loss. */
async function metadataIsLost({ data, database, acceptLoss, yes }: StoreOptions) {
  if (database || (acceptLoss && yes)) return false
  if (await holdsSomething(join(data, METADATA_FILE))) return false
  return (await readInstallation(data)) !== undefined
}

/** Refuses without opening the metadata: opening would create a new file. */
function refuseWithoutMetadata(data: string) {
  console.error(
    `${join(data, METADATA_FILE)} is missing or empty. Without it only the ids and owners of the faces are known, and ` +
      'nothing can be rebuilt: restore a backup. --accept-loss --yes makes a new file and removes all vectors and pictures ' +
      'of faces. Owners, tokens, galleries, cameras, persons and the audit log are lost then.',
  )
  return 1
}

/** Completes the repair and returns the exit code: 0 when the service can start and `mien store verify` finds no fault. */
async function conclude(
  { data, dataKey, yes, acceptLoss, database }: StoreOptions,
  stores: Stores,
  done: Repair,
): Promise<number> {
  const left = done.lostFaces + done.unpictured
  const parts = { ...stores, elsewhere: database !== undefined }
  if (!yes && (left + done.rebuilt > 0 || (await hasLostPart(data, parts)))) {
    console.log(
      'Nothing is changed. With --yes what can be rebuilt is rebuilt; with --accept-loss --yes the rest is removed.',
    )
    return 1
  }
  if (yes) {
    await insertEntries(stores.database, [
      { actor: operator(), action: 'store.repair', subject: { ...done, accepted: acceptLoss } },
    ])
    if (left > 0 && !acceptLoss) {
      console.log(
        'Some data cannot be rebuilt, and the service does not start without it: add --accept-loss to give it up.',
      )
      return 1
    }
    await acceptInstallation(data, parts)
  }
  const faults = await verifyAll(data, { ...stores, dataKey })
  for (const fault of faults) console.error(fault)
  console.log(
    faults.length === 0
      ? 'The data folder is whole. The service can start.'
      : `The service can start. ${countText(faults.length, 'fault remains', 'faults remain')} that a repair does not mend: restore a backup, or keep the data as it is.`,
  )
  return faults.length === 0 ? 0 : 1
}

/** Whether a start is refused although no face lacks anything. Prints the reason. */
const hasLostPart = (...folder: Parameters<typeof checkInstallation>) =>
  checkInstallation(...folder).then(
    () => false,
    error => {
      if (!(error instanceof InstallationRefused)) throw error
      console.error(error.message)
      return true
    },
  )

function printRepair(done: Repair) {
  console.log(`Faces: ${done.faces}`)
  console.log(`Vectors that can be rebuilt: ${done.rebuilt}`)
  console.log(`Faces without a vector or a picture to rebuild it from: ${done.lostFaces}`)
  console.log(`Faces with a picture missing: ${done.unpictured}`)
  console.log(`Vectors in owners' galleries that belong to no face: ${done.facelessVectors}`)
  console.log(`Faces that do not exist and have pictures: ${done.facelessPictures}`)
}
