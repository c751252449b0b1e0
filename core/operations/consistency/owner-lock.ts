/** Turns: work of one kind that runs one after the other for each owner, while other owners' runs beside it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Database } from '../../metadata/database.ts'
import { ConcurrentChange, revisionOf } from '../../metadata/revisions.ts'

/**
 * Runs the work once all that this owner's turn was asked for before has ended, well or badly. Where several cores share the
 * database it is given the owner's revision, which its transaction has to advance: one that was overtaken runs again.
 */
export type OwnerLock = <Result>(
  owner: string,
  work: (revision?: number) => Promise<Result>,
) => Promise<Result>

/** Remembers an owner only while work of theirs is waiting or running. */
export function localOwnerLock(): OwnerLock {
  const last = new Map<string, Promise<unknown>>()
  return async (owner, work) => {
    const before = last.get(owner)
    const mine = (before ?? Promise.resolve()).then(() => work())
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

/**
 * The same beside other cores: nothing is held that a core could die with. Rejects with SERVICE_UNAVAILABLE when others are
 * quicker for too long.
 */
export function sharedOwnerLock(database: Database): OwnerLock {
  const own = localOwnerLock()
  return (owner, work) =>
    own(owner, async () => {
      for (const end = performance.now() + LIMITS.overtakenMs; ; ) {
        const revision = await revisionOf(database, owner)
        try {
          return await work(revision)
        } catch (error) {
          if (!(error instanceof ConcurrentChange)) throw error
          if (performance.now() > end) throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause: error })
          // Two that keep overtaking each other part.
          await sleep(Math.random() * LIMITS.overtakenPauseMs)
        }
      }
    })
}
