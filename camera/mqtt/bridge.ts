/** The bridge between the service and an MQTT broker: connects again after each failure. */
import { type MienClient, MienError } from '../../clients/typescript/src/index.ts'
import { delayMs, wait } from '../../clients/typescript/src/retry.ts'
import type { Log } from '../../core/log.ts'
import { BrokerFailure } from './broker/failure.ts'
import type { Progress } from './events.ts'
import { type BridgeSettings, factsOf, runSession } from './session.ts'

/** First pause before the next connection in milliseconds. It doubles with each failure. */
const RETRY_MS = 1_000

/** A connection that lasted this long in milliseconds was sound: the next pause is the shortest again. */
const SOUND_MS = 30_000

/** The service knows no such token, or the token lacks the scope. */
const DENIED = [401, 403]

/** Runs until the signal aborts. Rejects with MienError when the service refuses the token at the start. */
export async function runBridge(
  client: MienClient,
  settings: BridgeSettings,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const progress: Progress = {}
  let wasOpen = false
  for (let failures = 0; !signal.aborted; ) {
    const start = performance.now()
    const onOpen = () => {
      wasOpen = true
      log('broker connected')
    }
    const error = await runSession(client, settings, { log, onOpen, progress }, signal).catch(
      (cause: unknown) => cause,
    )
    if (signal.aborted) break
    if (!wasOpen && error instanceof MienError && DENIED.includes(error.status)) throw error
    log(error instanceof BrokerFailure ? 'broker away' : 'service away', factsOf(error))
    if (performance.now() - start > SOUND_MS) failures = 0
    const ms = delayMs(error, { retry: failures++, baseMs: RETRY_MS, random: Math.random() })
    await wait(ms, signal).catch(() => {})
  }
  log('stopped')
}
