/** Input and result of the commands of `mien models`. */
import type { Configuration } from '../../core/configuration/environment.ts'

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
