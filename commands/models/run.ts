/** Runs a command on packs of networks, and builds the standard models. */
import { readConfiguration } from '../../core/configuration/environment.ts'
import { IS_RELEASE } from '../../core/files/program-form.ts'
import { BUILT_FILES } from '../../models/files.ts'
import { STANDARD_PACK } from '../../models/packs.ts'
import { buildModels } from '../build/models.ts'
import type { GlobalOptions } from '../terminal/command-line.ts'
import { databaseGiven, requireFolder } from '../terminal/data-folder.ts'
import { dataFolder } from '../terminal/paths.ts'
import { add } from './add.ts'
import { list, type ModelsCommand, requireFiles, verify } from './list.ts'
import { reembed } from './reembed.ts'
import { pull, use } from './use.ts'

/** Options of all commands. Each command takes some of them. */
export interface ModelsGiven extends GlobalOptions {
  dropMissing?: boolean
  json?: boolean
}

const COMMANDS = {
  list,
  use,
  pull,
  add,
  verify,
  reembed,
} satisfies Record<string, ModelsCommand>

export type ModelsName = keyof typeof COMMANDS

/**
 * Commands that need a data folder. Packs can be pulled, added and chosen before the first start, which creates the
 * folder.
 */
const READS_FOLDER: ReadonlySet<ModelsCommand> = new Set([list, verify, reembed])

/**
 * Runs the command with this name and ends the process, because worker threads of a runtime may still be running.
 * `subjects`: its arguments.
 */
export async function runModels(
  name: ModelsName,
  given: ModelsGiven,
  subjects: readonly string[],
): Promise<never> {
  const command = COMMANDS[name]
  const data = dataFolder(given.data)
  const database = await databaseGiven()
  // The standard pack is part of Mien and can be listed before there is any data.
  if (READS_FOLDER.has(command) && given.data) requireFolder(data)
  const code = await command({
    ...readConfiguration(process.env),
    database,
    data,
    subjects,
    dropMissing: given.dropMissing ?? false,
    json: given.json,
  })
  process.exit(code)
}

/** Builds the missing standard models. A release cannot build them, and throws if one is missing. */
export async function build(): Promise<number> {
  if (IS_RELEASE) await requireFiles({ ...STANDARD_PACK, files: BUILT_FILES })
  await buildModels({
    onProgress: ({ file, built }) => console.log(`${file}: ${built ? 'built' : 'up to date'}`),
  })
  return 0
}
