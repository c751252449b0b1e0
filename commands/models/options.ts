/** What a command of `npm run models` is given, and gives back. */
import type { Configuration } from '../../core/configuration/environment.ts'
import { type PlacedPack, packNamed } from '../../models/packs.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface ModelsOptions extends Configuration {
  /** What stands after the command: names of packs, or files. */
  subjects: readonly string[]
  /** reembed: faces and vectors that can't be converted are removed. */
  dropMissing: boolean
  /** list: one JSON document instead of a table. */
  json?: boolean | undefined
}

/** Resolves with the exit code of the process: 0 when all is well. */
export type ModelsCommand = (options: ModelsOptions) => Promise<number>

/** The pack that is named after the command. Throws Misused when none is, or several are. */
export function namedPack({ data, subjects: [name, ...more] }: ModelsOptions): Promise<PlacedPack> {
  if (name === undefined) throw new UsageError('The name of a pack is missing.')
  if (more.length > 0) throw new UsageError('One pack at a time.')
  return packNamed(data, name)
}
