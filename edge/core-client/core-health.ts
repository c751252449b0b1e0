/** Readiness of core for the console, checked at most once per EDGE_LIMITS.healthEveryMs. */
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import { pause } from '../admission/fair-queue.ts'
import type { Core } from './core-client.ts'

/** Result of the last check; undefined during the first check. A request never waits for the check of another request. */
export type CoreHealth = () => Promise<boolean | undefined>

export function coreHealth(core: Pick<Core, 'call'>, now: () => number = Date.now): CoreHealth {
  let checkedAt = Number.NEGATIVE_INFINITY
  let isReady: boolean | undefined
  return async () => {
    if (now() - checkedAt < EDGE_LIMITS.healthEveryMs) return isReady
    checkedAt = now()
    const check = core.call('ready', {}).then(
      () => true,
      () => false,
    )
    isReady = await Promise.race([check, pause(EDGE_LIMITS.healthMs).then(() => false)])
    return isReady
  }
}
