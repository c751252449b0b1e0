/** Input and result of the commands of `mien models`. */
import type { Configuration } from '../../core/configuration/environment.ts'
import { type PlacedPack, packNamed } from '../../models/packs.ts'
import { UsageError } from '../terminal/command-line.ts'

export interface ModelsOptions extends Configuration {
  /** Arguments of the command: names of packs, or files. */
  subjects: readonly string[]
  /** reembed: removes faces and vectors that cannot be converted. */
  dropMissing: boolean
  /** list: prints one JSON document instead of a table. */
  json?: boolean | undefined
}

/** Runs the command and returns the exit code: 0 on success. */
export type ModelsCommand = (options: ModelsOptions) => Promise<number>

/** The pack in the arguments. Throws UsageError unless there is exactly one. */
export function namedPack({ data, subjects: [name, ...more] }: ModelsOptions): Promise<PlacedPack> {
  if (name === undefined) throw new UsageError('The name of a pack is missing.')
  if (more.length > 0) throw new UsageError('One pack at a time.')
  return packNamed(data, name)
}
