/** The status of a service, as `mien status --json` prints it. */

/** One half of the service. */
export interface HalfStatus {
  /** Undefined when no address is known: the half is not checked. */
  url: string | undefined
  /** Whether the process answers. */
  up: boolean
  /** Core: `ready`, `degraded` or `not ready`, with the reason of core. */
  state: string
}

export interface GalleryStatus {
  gallery: string
  /** Names of owner and gallery. Absent for a gallery of store operators, and while the owners are not known. */
  owner?: string
  name?: string
  /** Numbers of vectors by space. */
  linear: number
  preindex: number
  indexed: number
  index: string
}

export interface ShardStatus {
  /** `local`, the origin of another core, or the address of a database without its password. */
  address: string
  /** Ranges of cells, like `0-511`. */
  cells: string
  /** `up`, `away`, or `not checked` for a database. */
  state: string
}

export interface Status {
  /** `ready`: everything answers. `degraded`: a part does not. `stopped`: nothing answers. */
  state: 'ready' | 'degraded' | 'stopped'
  /** Version of this installation. */
  version: string
  data: string
  core: HalfStatus
  edge: HalfStatus
  /** Name of the pack: in use, or of the next start. */
  pack: string
  /** Bytes on the disk of the data folder. */
  disk: { free: number; needed: number }
  /** Undefined while core does not answer, or wants another operator token. */
  galleries: { total: number; vectors: number; largest: GalleryStatus[] } | undefined
  shards: ShardStatus[]
  /**
   * End of the last complete backup, of the last failed one, and of the last drill without a fault, ISO 8601 in UTC; null
   * for never. Undefined when it is not known.
   */
  last_backup: string | null | undefined
  last_backup_failure: string | null | undefined
  last_drill: string | null | undefined
  /** What is wrong, for the operator. */
  problems: string[]
}
