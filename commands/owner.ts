/** `npm run owner`: lists owners, and deletes an owner with all data, also while the service runs. */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Configuration, readConfiguration } from '../core/configuration/environment.ts'
import { readLayout } from '../core/configuration/shards.ts'
import { insertEntries } from '../core/metadata/audit-log/entries.ts'
import { operator } from '../core/metadata/audit-log/operator-entries.ts'
import {
  closeDatabase,
  type Database,
  type MetadataSettings,
  openDatabase,
} from '../core/metadata/database.ts'
import { allOwners, deletedOwners, markOwnerDeleted } from '../core/metadata/queries/owners.ts'
import { reconcile } from '../core/operations/consistency/reconcile.ts'
import { openStores } from '../core/operations/services.ts'
import type { PictureSettings } from '../core/pictures/open.ts'
import { VectorFileLocked } from '../core/vector-store/folder-lock.ts'
import { printJson, runCommand } from './terminal/command-line.ts'
import { metadataIn } from './terminal/metadata.ts'
import { dataFolder } from './terminal/paths.ts'
import { picturesGiven } from './terminal/pictures.ts'
import { printTable } from './terminal/table.ts'
import { isoTime, minuteText } from './terminal/times.ts'

const USAGE = `npm run owner -- COMMAND [options]

Lists owners, and deletes an owner with all data, also while the service runs.

Commands:
  list               List all owners with their faces and tokens.
  delete NAME --yes  Delete an owner: faces, vectors, pictures, galleries,
                     cameras, persons and tokens. Only a backup can bring
                     them back.

Options:
  --yes       delete: really delete
  --json      list: print one JSON array
  --data DIR  data folder (MIEN_DATA; default: data in the project)
  -h, --help  print this help

Examples:
  npm run owner -- list
  npm run owner -- delete ann --yes`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = {
  data: { type: 'string' },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

const ACTIONS = {
  list: { options: ['json'] },
  delete: { options: ['yes'], most: 1, missing: 'delete needs the NAME of an owner.' },
}

/** Polling interval and time limit for the deletion by the running service. */
const POLL_MS = 500
const WAIT_MS = 10 * 60_000

interface Request
  extends Configuration,
    Pick<MetadataSettings, 'dataKey'>,
    Pick<PictureSettings, 'bucketKeys'> {
  /** Name of the owner to delete. */
  name: string
  yes: boolean
  json: boolean
}

/** Runs a command and returns the process's exit code. */
const COMMANDS: Record<keyof typeof ACTIONS, (database: Database, request: Request) => Promise<number>> = {
  async list(database, { json }) {
    const owners = await allOwners(database)
    if (json) printJson(owners.map(documentOf))
    else printTable(owners.map(rowOf), 'There are no owners.')
    return 0
  },

  async delete(database, request) {
    const { name, yes } = request
    const owner = (await allOwners(database)).find(one => one.name === name)
    if (!owner) throw new Error(`There is no owner "${name}".`)
    if (!yes) {
      console.error(
        `"${name}" has ${owner.faces} faces and ${owner.tokens} tokens. Nothing is deleted without --yes.`,
      )
      return 1
    }
    await markOwnerDeleted(database, name)
    await insertEntries(database, [{ actor: operator(), action: 'owner.delete', owner: owner.id }])
    if (!(await finishHere(request))) await finishElsewhere(database, owner.id)
    if ((await deletedOwners(database)).includes(owner.id))
      throw new Error('A part of the store is away. The rest goes once the service runs and it is back.')
    console.log(`The owner is gone, and ${owner.faces} faces.`)
    return 0
  },
}

type Owner = Awaited<ReturnType<typeof allOwners>>[number]

const stateOf = ({ going }: Owner): string => (going ? 'being deleted' : 'active')

/** Field names are documented in docs/operations.md. */
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
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(POLL_MS)) {
    if (!(await deletedOwners(database)).includes(owner)) return
  }
  throw new Error(
    'The service is not done yet. It goes on, also after its next start; see: npm run owner -- list',
  )
}

await runCommand({ usage: USAGE, options: OPTIONS, actions: ACTIONS }, async given => {
  const { action, args, values } = given
  const data = dataFolder(values.data, ROOT)
  const settings = await metadataIn(data)
  const database = await openDatabase(data, settings)
  try {
    return await COMMANDS[action](database, {
      ...readConfiguration(process.env),
      ...(await picturesGiven()),
      ...settings,
      data,
      name: args[0] ?? '',
      yes: values.yes,
      json: values.json,
    })
  } finally {
    await closeDatabase(database)
  }
})
