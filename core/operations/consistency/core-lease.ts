/** Lease of a core on a shared database. While it is renewed, other cores do not reconcile the intents of this core. */
import { environment } from '../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { ConfigurationError } from '../../configuration/environment.ts'
import { endCore, forgetDeadCores, livingCores, renewCore } from '../../metadata/connection/cores.ts'
import { differenceOf, type SharedSettings } from '../../metadata/connection/shared-settings.ts'
import type { Database } from '../../metadata/database.ts'
import { repeatedly } from '../repeatedly.ts'

/** A lease that is renewed until it ends. */
export interface Lease {
  /** Id of this core, as recorded in its intents. */
  readonly core: string
  /** Ends the lease. Other cores then reconcile the remaining intents. */
  end(): Promise<void>
}

/**
 * Takes a lease and renews it until `end` is called. `shares` returns the settings that must be equal in all live cores;
 * commands have none. Throws ConfigurationError when they differ.
 */
export async function takeLease(database: Database, shares?: () => SharedSettings): Promise<Lease> {
  const core = environment.id()
  const renew = () => renewCore(database, { id: core, shares: shares?.() ?? null })
  await forgetDeadCores(database)
  // Register before the check: when two cores start at once, at least one sees the other.
  await renew()
  if (shares) await refuseIncompatibleCores(database, core, shares()).catch(endAndRethrow)
  // The database may be unavailable. If the lease expires before the database answers, other cores may take the intents of this core.
  const renewing = repeatedly(STORE_LIMITS.leaseEveryMs, () => renew().catch(() => {}))

  async function endAndRethrow(error: unknown): Promise<never> {
    await endCore(database, core)
    throw error
  }

  return {
    core,
    async end() {
      await renewing.stop()
      await endCore(database, core).catch(() => {})
    },
  }
}

async function refuseIncompatibleCores(database: Database, core: string, mine: SharedSettings) {
  for (const other of await livingCores(database)) {
    const difference = other.id === core || !other.shares ? undefined : differenceOf(mine, other.shares)
    if (difference) throw new ConfigurationError(`Another core on this database ${difference}.`)
  }
}
