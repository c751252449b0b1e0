/** Interfaces by which a decode shares the isolate with other tasks: memory reservations, and pauses between pieces. */

/**
 * Announces the expected duration of the next step in microseconds. Resolves when the step may start. Other tasks run
 * meanwhile.
 */
export type Pace = (microseconds: number) => Promise<void>

/** Memory reserved for one decode. */
export interface Reservation {
  /** Bytes reserved by all decodes in progress, this one included. */
  readonly total: number
  /** Frees the reservation. */
  release(): void
}

/** Resolves when memory for a decode of this many bytes is available. */
export type Reserve = (bytes: number) => Promise<Reservation>

/** Never pauses: for a process with one decode at a time. */
export const NO_PAUSES: Pace = async () => {}

/** Grants every reservation: for a process with one decode at a time, whose memory fits the priced decode. */
export const UNSHARED_MEMORY: Reserve = async bytes => ({ total: bytes, release: () => {} })
