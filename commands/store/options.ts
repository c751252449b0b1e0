/** What a command of `npm run store` is given, and gives back. */
import type { Configuration } from '../../core/configuration/environment.ts'
import type { DataKey } from '../../core/encryption/encrypt.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface StoreOptions extends Configuration {
  gallery?: string | undefined
  cells?: string | undefined
  remove: boolean
  /** Changes are made; else they are only counted. */
  yes: boolean
  /** What is lost and cannot be rebuilt is given up. */
  acceptLoss: boolean
  /** The log whose deletions a restored folder is to have too. */
  deletions?: string | undefined
  /** Print one JSON document instead of a table. */
  json?: boolean | undefined
  /** Of the data folder, where it is encrypted. */
  dataKey: DataKey | undefined
  /** What the vectors that are opened have to be of; absent where it does not matter. */
  embedder?: string | undefined
  /** What stands after the command: a gallery, a folder or a file. */
  subject: string | undefined
}

/** Resolves with the exit code of the process: 0 when all is well. */
export type StoreCommand = (options: StoreOptions) => Promise<number>

/** What stands after the command; throws Misused when nothing does. */
export function subjectOf({ subject }: StoreOptions, what: string): string {
  if (subject === undefined) throw new UsageError(`${what} is missing.`)
  return subject
}
