/** The lock of a repository: one backup at a time, from any machine. It ends by itself after its process was killed. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import * as z from 'zod'
import { environment } from '../../../contract/environment.ts'
import { BackupRefused } from '../contents.ts'
import type { Place } from './place.ts'
import { type Inventory, type Repository, writeJson } from './repository.ts'

/** How long a lock lasts without a renewal, and the interval of renewals, in milliseconds. */
const LOCK_MS = 120_000
const RENEWAL_MS = 20_000

const LockSchema = z.object({ host: z.string(), until: z.iso.datetime() })

export interface Held {
  /** Content of the repository when it was locked. */
  inventory: Inventory
  /** Throws BackupRefused when the lock could not be renewed: another backup may have begun. */
  requireHeld(): void
}

/**
 * Runs `work` under the lock. Throws BackupRefused when another process holds it. Two processes that begin at the same moment
 * may both be refused.
 */
export async function withLock<Result>(
  repository: Repository,
  work: (held: Held) => Promise<Result>,
): Promise<Result> {
  const { place } = repository
  const path = `locks/${randomBytes(8).toString('hex')}.json`
  let renewed = environment.monotonic()
  const renew = async () => {
    const at = environment.monotonic()
    const until = new Date(environment.now() + LOCK_MS).toISOString()
    await writeJson(place, path, { host: hostname(), until })
    renewed = at
  }
  await renew()
  // A failed renewal is repeated; requireHeld ends the work when all fail.
  let renewal: Promise<void> | undefined
  const renewOnce = () => {
    renewal ??= renew()
      .catch(() => {})
      .finally(() => (renewal = undefined))
  }
  const renewing = environment.interval(renewOnce, RENEWAL_MS, { ref: false })
  try {
    const inventory = await repository.inventory()
    await refuseOthers(place, inventory.locks, path)
    // Of killed processes. No later backup would remove them.
    await place.remove(inventory.drafts)
    return await work({
      inventory,
      requireHeld() {
        if (environment.monotonic() - renewed < LOCK_MS - RENEWAL_MS) return
        throw new BackupRefused(`The lock of ${place.name} could not be renewed.`)
      },
    })
  } finally {
    renewing.cancel()
    await renewal
    // Without this removal, the lock ends by its time.
    await place.remove([path]).catch(() => {})
  }
}

/** Removes the locks of killed processes. Throws BackupRefused for a lock that lasts. */
async function refuseOthers(place: Place, locks: readonly string[], own: string) {
  for (const path of locks.filter(lock => lock !== own)) {
    const bytes = await place.read(path)
    if (!bytes) continue
    const { host, until } = lockIn(bytes)
    const left = Date.parse(until) - environment.now()
    // A later end was written by another clock.
    if (left > 0 && left <= 2 * LOCK_MS)
      throw new BackupRefused(
        `Another backup to ${place.name} runs on ${host}. If it was killed, its lock ends at ${until}.`,
      )
    await place.remove([path])
  }
}

/** The lock in these bytes. A damaged one has ended. */
function lockIn(bytes: Uint8Array): z.infer<typeof LockSchema> {
  try {
    return LockSchema.parse(JSON.parse(Buffer.from(bytes).toString()))
  } catch {
    return { host: 'unknown', until: new Date(0).toISOString() }
  }
}
