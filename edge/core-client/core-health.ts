/** Whether core is ready, for the start page: asked seldom, however often the page is. */
import { LIMITS } from '../../core/contract/limits.ts'
import { pause } from '../admission/fair-queue.ts'
import type { Core } from './core-client.ts'

/** The last verdict; undefined while the first one is awaited. No request waits for another's question. */
export type CoreHealth = () => Promise<boolean | undefined>

export function coreHealth(core: Pick<Core, 'ask'>, now: () => number = Date.now): CoreHealth {
  let asked = Number.NEGATIVE_INFINITY
  let isReady: boolean | undefined
  return async () => {
    if (now() - asked < LIMITS.healthEveryMs) return isReady
    asked = now()
    const answered = core.ask('ready', {}).then(
      () => true,
      () => false,
    )
    isReady = await Promise.race([answered, pause(LIMITS.healthMs).then(() => false)])
    return isReady
  }
}
