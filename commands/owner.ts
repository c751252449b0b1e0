/** `npm run owner`: lists owners, and deletes one with all that they have, also while the service runs. */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Configuration, readConfiguration } from '../core/configuration/environment.ts'
import { readLayout } from '../core/configuration/shards.ts'
import { timestampText } from '../core/contract/timestamps.ts'
import { writeDown } from '../core/metadata/audit.ts'
import {
  closeDatabase,
  type Database,
  type MetadataSettings,
  openDatabase,
} from '../core/metadata/database.ts'
import { operator } from '../core/metadata/operations.ts'
import { allOwners, giveUpOwner, goingOwners } from '../core/metadata/owners.ts'
import type { PictureSettings } from '../core/pictures/open.ts'
import { openStores } from '../core/recognition/parts.ts'
import { reconcile } from '../core/recognition/reconcile.ts'
import { VectorFileLocked } from '../core/store/folder-lock.ts'
import { metadataFor } from './metadata.ts'
import { Misused, runCommand } from './misused.ts'
import { dataFolder } from './paths.ts'
import { picturesGiven } from './pictures.ts'

const USAGE = `npm run owner -- list                 all owners, and what they have
npm run owner -- delete NAME --yes    delete an owner: faces, vectors, pictures, galleries, cameras, persons and tokens

  --data DIR   data folder   MIEN_DATA   (./data of the project)

A running service goes on for the others. What is deleted cannot be brought back, but from a backup.`

const ROOT = resolve(import.meta.dirname, '..')

/** How often it is looked whether the service is done, and how long. */
const LOOK_MS = 500
const WAIT_MS = 10 * 60_000

interface Request
  extends Configuration,
    Pick<MetadataSettings, 'dataKey'>,
    Pick<PictureSettings, 'bucketKeys'> {
  name: string | undefined
  yes: boolean
}

/** Each does its work and answers with the process's exit code. */
const COMMANDS: Record<string, (database: Database, request: Request) => Promise<number>> = {
  async list(database) {
    console.table(
      (await allOwners(database)).map(({ created, going, ...owner }) => ({
        ...owner,
        created: timestampText(created),
        state: going ? 'being deleted' : '',
      })),
    )
    return 0
  },

  async delete(database, request) {
    const { name, yes } = request
    if (!name) throw new Misused('delete needs the NAME of an owner.')
    const owner = (await allOwners(database)).find(one => one.name === name)
    if (!owner) throw new Error(`There is no owner "${name}".`)
    if (!yes) {
      console.error(
        `"${name}" has ${owner.faces} faces and ${owner.tokens} tokens. Nothing is deleted without --yes.`,
      )
      return 1
    }
    await giveUpOwner(database, name)
    await writeDown(database, [{ actor: operator(), action: 'owner.delete', owner: owner.id }])
    if (!(await finishHere(request))) await finishElsewhere(database, owner.id)
    if ((await goingOwners(database)).includes(owner.id))
      throw new Error('A part of the store is away. The rest goes once the service runs and it is back.')
    console.log(`The owner is gone, and ${owner.faces} faces.`)
    return 0
  },
}

/** False when the service has the folder. */
async function finishHere(request: Request): Promise<boolean> {
  try {
    const stores = await openStores(request.data, {
      ...request,
      shards: await readLayout(request.shardsFile),
    })
    await reconcile(stores).finally(() => stores.close())
    return true
  } catch (error) {
    if (error instanceof VectorFileLocked) return false
    throw error
  }
}

async function finishElsewhere(database: Database, owner: string): Promise<void> {
  console.error('The service that runs deletes it: at the latest in half a minute it begins.')
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(LOOK_MS)) {
    if (!(await goingOwners(database)).includes(owner)) return
  }
  throw new Error(
    'The service is not done yet. It goes on, also after its next start; see: npm run owner -- list',
  )
}

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: 'string' }, yes: { type: 'boolean', default: false } },
  })
  const [command = '', name] = positionals
  const perform = COMMANDS[command]
  if (!perform)
    throw new Misused(command === '' ? 'What is to be done?' : `There is no command "${command}".`)
  const data = dataFolder(values.data, ROOT)
  const settings = await metadataFor(data)
  const database = await openDatabase(data, settings)
  try {
    return await perform(database, {
      ...readConfiguration(process.env),
      ...(await picturesGiven()),
      ...settings,
      data,
      name,
      yes: values.yes,
    })
  } finally {
    await closeDatabase(database)
  }
})
