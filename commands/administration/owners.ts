/** Lists owners, and deletes an owner with all data, also while the service runs. */

import { countText } from '../../contract/counted.ts'
import { retry } from '../../contract/environment.ts'
import { readConfiguration, readLayout } from '../../core/configuration/environment.ts'
import { allOwners, deletedOwners, markOwnerDeleted } from '../../core/metadata/access/owners.ts'
import { insertEntries, operator } from '../../core/metadata/audit-log/entries.ts'
import type { Database, MetadataSettings } from '../../core/metadata/database.ts'
import { reconcile } from '../../core/operations/consistency/reconcile.ts'
import { openStores } from '../../core/stores.ts'
import { VectorFileLocked } from '../../core/vector-store/folder-lock.ts'
import { type GlobalOptions, type JsonOptions, printJson } from '../terminal/command-line.ts'
import { picturesGiven, withMetadata } from '../terminal/data-folder.ts'
import { printTable } from '../terminal/table.ts'
import { isoTime, minuteText } from '../terminal/times.ts'

interface DeleteOptions extends GlobalOptions {
  yes?: boolean
}

/** Polling interval and time limit for the deletion by the running service. */
const POLL_MS = 500
const WAIT_MS = 10 * 60_000

export const list = (options: JsonOptions): Promise<number> =>
  withMetadata(options, async ({ database }) => {
    const owners = await allOwners(database)
    if (options.json) printJson(owners.map(documentOf))
    else printTable(owners.map(rowOf), 'There are no owners.')
    return 0
  })

/** Deletes the owner. Only counts what would be deleted unless `yes` is set. */
const deleteOwner = (options: DeleteOptions, name: string) =>
  withMetadata(options, async ({ data, settings, database }) => {
    const owner = (await allOwners(database)).find(one => one.name === name)
    if (!owner) throw new Error(`There is no owner "${name}".`)
    if (!options.yes) {
      console.error(
        `"${name}" has ${countText(owner.faces, 'face')} and ${countText(owner.tokens, 'token')}. Nothing is deleted without --yes.`,
      )
      return 1
    }
    await markOwnerDeleted(database, name)
    await insertEntries(database, [{ actor: operator(), action: 'owner.delete', owner: owner.id }])
    if (!(await finishHere(data, settings))) await finishElsewhere(database, owner.id)
    if ((await deletedOwners(database)).includes(owner.id))
      throw new Error(
        'A part of the store is unreachable. The rest is deleted when the service runs and the part is back.',
      )
    console.log(`The owner and ${countText(owner.faces, 'face')} are deleted.`)
    return 0
  })

export { deleteOwner as delete }

type Owner = Awaited<ReturnType<typeof allOwners>>[number]

const stateOf = ({ deleting }: Owner) => (deleting ? 'being deleted' : 'active')

/** Field names are documented in docs/command-line.md. */
const documentOf = (owner: Owner) => ({
  id: owner.id,
  name: owner.name,
  faces: owner.faces,
  tokens: owner.tokens,
  created: isoTime(owner.created),
  state: stateOf(owner).replace(' ', '_'),
})

const rowOf = (owner: Owner) => ({
  id: owner.id,
  faces: owner.faces,
  tokens: owner.tokens,
  created: minuteText(owner.created),
  state: stateOf(owner),
  name: owner.name,
})

/** Deletes the owner's data in this process. False when the service has locked the folder. */
async function finishHere(data: string, settings: MetadataSettings) {
  const configuration = readConfiguration(process.env)
  try {
    const stores = await openStores(data, {
      ...configuration,
      ...(await picturesGiven()),
      ...settings,
      shards: await readLayout(configuration.shardsFile),
    })
    await reconcile(stores).finally(() => stores.close())
    return true
  } catch (error) {
    if (error instanceof VectorFileLocked) return false
    throw error
  }
}

async function finishElsewhere(database: Database, owner: string) {
  console.error('The running service deletes it, and begins within half a minute.')
  const deleted = await retry(() => deletedOwners(database), {
    isDone: owners => !owners.includes(owner),
    forMs: WAIT_MS,
    delayMs: POLL_MS,
  })
  if (deleted.includes(owner))
    throw new Error(
      'The service is not done yet. It continues, also after its next start; see: mien owner list',
    )
}
