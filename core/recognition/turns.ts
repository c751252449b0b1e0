/** Turns: work of one kind that runs one after the other for each owner, while other owners' runs beside it. */

/** Runs the work once all that this owner's turn was asked for before has ended, well or badly. */
export type Turns = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>

/** Remembers an owner only while work of theirs is waiting or running. */
export function turns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return async (owner, work) => {
    const before = last.get(owner)
    const mine = (before ?? Promise.resolve()).then(work)
    // Whoever comes next waits for the end alone: a failure is told to the one who asked.
    const ended = mine.then(nothing, nothing)
    last.set(owner, ended)
    try {
      return await mine
    } finally {
      if (last.get(owner) === ended) last.delete(owner)
    }
  }
}

const nothing = (): void => {}
