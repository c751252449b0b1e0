/** The lease of a core on a database that several share: as long as it is renewed, nobody takes its work for left over. */
import { randomUUID } from 'node:crypto'
import { ConfigurationError } from '../../configuration/environment.ts'
import { LIMITS } from '../../contract/limits.ts'
import { endCore, forgetDeadCores, livingCores, renewCore } from '../../metadata/connection/cores.ts'
import { differenceOf, type SharedSettings } from '../../metadata/connection/shared-settings.ts'
import type { Database } from '../../metadata/database.ts'
import { repeatedly } from '../upkeep/repeatedly.ts'

export interface Lease {
  /** What this core's notes carry. */
  readonly core: string
  /** Gives it up: what is left noted is for others from now on. */
  end(): Promise<void>
}

/**
 * Takes a lease, and renews it until it is ended. `shares` says what this core has to have in common with the others that are
 * alive; a command has nothing. Throws ConfigurationError when they differ.
 */
export async function takeLease(database: Database, shares?: () => SharedSettings): Promise<Lease> {
  const core = randomUUID()
  const renew = () => renewCore(database, { id: core, shares: shares?.() ?? null }, LIMITS.leaseMs)
  await forgetDeadCores(database)
  // First it is there for the others, then it looks: of two that start at once, one at least sees the other.
  await renew()
  if (shares) await refuseStrangers(database, core, shares()).catch(giveUp)
  // The database may be away. Where its time runs out meanwhile, others may take its notes, and it goes on without these.
  const renewing = repeatedly(LIMITS.leaseEveryMs, () => renew().catch(() => {}))

  async function giveUp(error: unknown): Promise<never> {
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

async function refuseStrangers(database: Database, core: string, mine: SharedSettings): Promise<void> {
  for (const other of await livingCores(database)) {
    const difference = other.id === core || !other.shares ? undefined : differenceOf(mine, other.shares)
    if (difference) throw new ConfigurationError(`Another core on this database ${difference}.`)
  }
}
