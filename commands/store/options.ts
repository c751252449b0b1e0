/** Input and result of the commands of `mien store`. */
import type { Configuration } from '../../core/configuration/environment.ts'
import type { DataKey } from '../../core/encryption/encrypt.ts'

export interface StoreOptions extends Configuration {
  gallery?: string | undefined
  /** Makes the changes; when false, they are only counted. */
  yes: boolean
  /** Deletes what is lost and cannot be rebuilt. */
  acceptLoss: boolean
  /** Audit log whose deletions are replayed in a restored folder, or `none`. */
  deletions?: string | undefined
  /** Time of the backup to restore from a repository. */
  at?: string | undefined
  /** Place to which a part moves. */
  to?: string | undefined
  /** Prints one JSON document instead of a table. */
  json?: boolean | undefined
  /** Key of the data folder, when it is encrypted. */
  dataKey: DataKey | undefined
  /** Required embedder of the opened vectors; absent when it does not matter. */
  embedder?: string | undefined
  /** Argument of the command: a gallery, a folder or a file; empty when it takes none. */
  subject: string
}

/** Runs the command and returns the exit code: 0 on success. */
export type StoreCommand = (options: StoreOptions) => Promise<number>
