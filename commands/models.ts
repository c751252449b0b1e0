/** `npm run models`: builds the standard models, and manages packs: list, use, pull, add, verify, reembed. */
import { resolve } from 'node:path'
import { readConfiguration } from '../core/configuration/environment.ts'
import { buildModels } from '../models/build.ts'
import { add } from './models/add.ts'
import { list, verify } from './models/list.ts'
import type { ModelsCommand } from './models/options.ts'
import { pull } from './models/pull.ts'
import { reembed } from './models/reembed.ts'
import { use } from './models/use.ts'
import { type Arguments, runCommand } from './terminal/command-line.ts'
import { requireFolder } from './terminal/data-folder.ts'
import { databaseGiven } from './terminal/metadata.ts'
import { dataFolder } from './terminal/paths.ts'

const USAGE = `npm run models -- [COMMAND] [options]

Builds the standard models, and manages packs of networks. Without a command it
builds the standard models that are missing.

Commands:
  list            List the packs, the chosen one, and how many files are here.
  use PACK        Choose a pack, from the next start on. Downloads its files
                  if they are missing.
  pull PACK       Download a pack's files; resumes.
  add FILE...     Add packs of your own, as these manifests describe them.
  verify          Check every file of every pack.
  reembed [PACK]  Convert all stored vectors to a pack, and choose it. The
                  service has to be stopped.

Options:
  --drop-missing  reembed: delete faces whose normalized picture is gone
  --json          list: print one JSON array
  --data DIR      data folder (MIEN_DATA; default: data in the project)
  -h, --help      print this help

Examples:
  npm run models
  npm run models -- list
  npm run models -- pull opencv
  npm run models -- add mine.json
  npm run models -- use mine
  npm run models -- verify
  npm run models -- reembed mine`

const OPTIONS = {
  data: { type: 'string' },
  'drop-missing': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

const ACTIONS = {
  '': {},
  list: { options: ['json'] },
  use: { most: Number.POSITIVE_INFINITY },
  pull: { most: Number.POSITIVE_INFINITY },
  add: { most: Number.POSITIVE_INFINITY },
  verify: {},
  reembed: { options: ['drop-missing'], most: 1 },
}

const COMMANDS: Record<Exclude<keyof typeof ACTIONS, ''>, ModelsCommand> = {
  list,
  use,
  pull,
  add,
  verify,
  reembed,
}

/**
 * Commands that need a data folder. Packs can be pulled, added and chosen before the first start, which creates the
 * folder.
 */
const READS_FOLDER: ReadonlySet<ModelsCommand> = new Set([list, verify, reembed])

const ROOT = resolve(import.meta.dirname, '..')

async function run(given: Arguments<typeof OPTIONS, keyof typeof ACTIONS>): Promise<number> {
  const { action, args, values } = given
  if (action === '') return build()
  const command = COMMANDS[action]
  const data = dataFolder(values.data, ROOT)
  const database = await databaseGiven()
  // The standard pack is part of Mien and can be listed before there is any data.
  if (READS_FOLDER.has(command) && (values.data ?? process.env.MIEN_DATA)) requireFolder(data)
  return command({
    ...readConfiguration(process.env),
    database,
    data,
    subjects: args,
    dropMissing: values['drop-missing'],
    json: values.json,
  })
}

async function build(): Promise<number> {
  await buildModels({
    onProgress: ({ file, built }) => console.log(`${file}: ${built ? 'built' : 'up to date'}`),
  })
  return 0
}

await runCommand({ usage: USAGE, options: OPTIONS, actions: ACTIONS }, run)
// Worker threads of a runtime may still be running.
process.exit()
