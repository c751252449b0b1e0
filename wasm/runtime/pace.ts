/** Work on the single thread of an isolate announces its steps. */

/** Announces the expected duration of the next step in microseconds. Resolves when the step may start. Other tasks run during the wait. */
export type Pace = (microseconds: number) => Promise<void>

/** Never pauses: for a process with one decode at a time. */
export const NO_PAUSES: Pace = async () => {}
