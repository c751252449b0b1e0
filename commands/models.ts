/** `npm run models`: builds the standard models; and what an operator does with packs: list, use, pull, add, check, convert. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfiguration } from '../core/configuration/environment.ts'
import { buildModels } from '../models/build.ts'
import { databaseGiven } from './metadata.ts'
import { Misused, runCommand } from './misused.ts'
import { add } from './models/add.ts'
import { list, verify } from './models/list.ts'
import type { ModelsCommand } from './models/options.ts'
import { pull } from './models/pull.ts'
import { reembed } from './models/reembed.ts'
import { use } from './models/use.ts'
import { dataFolder } from './paths.ts'

const USAGE = `npm run models                         build the standard models, where they are missing
npm run models -- list                 packs, which of them is chosen, and how much of each is here
npm run models -- use PACK             choose a pack, from the next start on
npm run models -- pull PACK            download a pack's files; goes on with what was broken off
npm run models -- add FILE...          add packs of your own, as these manifests describe them
npm run models -- verify               check every file of every pack
npm run models -- reembed [PACK]       convert all stored vectors to a pack, and choose it  (the service has to be stopped)

  --data DIR        data folder                        MIEN_DATA  (./data of the project)
  --drop-missing    reembed: remove the faces whose normalized picture is gone`

const COMMANDS: Record<string, ModelsCommand> = { list, use, pull, add, verify, reembed }

const ROOT = resolve(import.meta.dirname, '..')

async function run(args: string[]): Promise<number> {
  if (args.length === 0) return build()
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: 'string' }, 'drop-missing': { type: 'boolean', default: false } },
  })
  const [name = '', ...subjects] = positionals
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new Misused(`There is no command "${name}".`)
  const data = dataFolder(values.data, ROOT)
  return command({
    ...readConfiguration(process.env),
    database: await databaseGiven(),
    data,
    subjects,
    dropMissing: values['drop-missing'],
  })
}

async function build(): Promise<number> {
  await buildModels({
    onProgress: ({ file, built }) => console.log(`${file}: ${built ? 'built' : 'up to date'}`),
  })
  return 0
}

await runCommand(USAGE, () => run(process.argv.slice(2)))
// Worker threads of a runtime may linger.
process.exit()
