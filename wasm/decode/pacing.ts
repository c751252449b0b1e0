/** How a decode shares the isolate with other work: memory that it reserves, and pauses between its pieces. */

/** Announces work by its expected microseconds. Resolves when it may begin; other work runs in between. */
export type Pace = (microseconds: number) => Promise<void>

/** Memory that one decode holds. */
export interface Reservation {
  /** Bytes that all decodes in progress hold together, this one included. */
  readonly total: number
  /** Gives the memory back. */
  release(): void
}

/** Resolves when there is memory for a decode of this many bytes. */
export type Reserve = (bytes: number) => Promise<Reservation>

/** A process that does one decode at a time does not pause. */
export const NO_PAUSES: Pace = async () => {}

/** A process that does one decode at a time has the memory that the decode was priced at. */
export const UNSHARED_MEMORY: Reserve = async bytes => ({ total: bytes, release: () => {} })
