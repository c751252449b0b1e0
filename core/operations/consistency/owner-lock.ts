/** Locks of owners: tasks of one owner run in sequence, tasks of different owners run concurrently. */
import { environment, retry } from '../../../contract/environment.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import type { Database } from '../../metadata/database.ts'
import { ConcurrentChange, revisionOf } from '../../metadata/revisions.ts'

/**
 * Runs a task after all earlier tasks of the owner have ended, with or without an error. On a shared database the task gets the
 * revision of the owner, and its transaction must advance it. After a concurrent change by another core the task runs again.
 */
export type OwnerLock = <Result>(
  owner: string,
  work: (revision?: number) => Promise<Result>,
) => Promise<Result>

/** Lock within one process. It holds an entry for an owner only while a task waits or runs. */
export function localOwnerLock(): OwnerLock {
  const last = new Map<string, Promise<unknown>>()
  return async (owner, work) => {
    const previous = last.get(owner)
    const current = (previous ?? Promise.resolve()).then(() => work())
    // The next task waits only for the end. An error rejects only the call of its task.
    const ended = current.then(noop, noop)
    last.set(owner, ended)
    try {
      return await current
    } finally {
      if (last.get(owner) === ended) last.delete(owner)
    }
  }
}

const isConcurrentChange = (error: unknown) => error instanceof ConcurrentChange

const noop = () => {}

/**
 * Lock across cores, optimistic: a crashed core leaves no lock behind. Rejects with SERVICE_UNAVAILABLE when concurrent changes
 * continue for STORE_LIMITS.conflictRetryMs.
 */
export function sharedOwnerLock(database: Database): OwnerLock {
  const localLock = localOwnerLock()
  return (owner, work) =>
    localLock(owner, () =>
      retry(async () => work(await revisionOf(database, owner)), {
        isTemporary: isConcurrentChange,
        forMs: STORE_LIMITS.conflictRetryMs,
        // Random pause: otherwise two cores would collide repeatedly.
        delayMs: () => environment.random() * STORE_LIMITS.conflictPauseMs,
      }).catch(cause => {
        throw isConcurrentChange(cause) ? new ServiceError('SERVICE_UNAVAILABLE', {}, { cause }) : cause
      }),
    )
}
