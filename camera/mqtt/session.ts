/** One connection of the bridge: reads what the broker has stored, then publishes until a failure or a stop. */
import { type MienClient, MienError, MienNetworkError } from '../../clients/typescript/src/index.ts'
import { wait } from '../../clients/typescript/src/retry.ts'
import { type Facts, type Log, traceOf } from '../../core/log.ts'
import { type Broker, type BrokerConnection, connectBroker } from './broker/connection.ts'
import { BrokerFailure } from './broker/failure.ts'
import { readRetained } from './broker/retained.ts'
import { openCameras } from './cameras.ts'
import { clearDeleted } from './deleted.ts'
import { bridgeDiscovery, type DiscoverySettings } from './discovery.ts'
import { followEvents, type Progress } from './events.ts'
import type { Privacy } from './sighting.ts'
import { type Topics, topicsOf } from './topics.ts'

/** What a line of the log says about a failure. */
export function factsOf(error: unknown): Facts {
  if (error instanceof BrokerFailure) return { reason: error.reason, advice: error.advice }
  if (error instanceof MienError) return { code: error.code }
  return error instanceof MienNetworkError ? { code: 'no answer' } : traceOf(error)
}

/** Settings of the bridge. */
export interface BridgeSettings {
  broker: Broker
  /** Base topic. */
  topic: string
  /** Prefix of Home Assistant's discovery. Absent: no discovery. */
  discovery?: string
  /** Version of Mien. */
  version: string
  privacy: Privacy
  /** Milliseconds between two readings of the list of cameras, and between two checks for deleted faces. */
  camerasEveryMs: number
  checkEveryMs: number
}

interface SessionParts {
  log: Log
  /** Called when both sides are connected. */
  onOpen: () => void
  progress: Progress
}

/** Bytes of a message that the bridge reads. It reads only its own. */
const MAX_BYTES = 256 * 1024

/** Rejects with BrokerFailure, an error of the client, or the reason of the signal. Does not resolve. */
export async function runSession(
  client: MienClient,
  settings: BridgeSettings,
  { log, onOpen, progress }: SessionParts,
  signal: AbortSignal,
): Promise<void> {
  const topics = topicsOf(settings.topic)
  // A service that refuses the token, or is away, costs the broker nothing.
  await client.cameras.list({ signal }).toArray()
  const will = { topic: topics.state, payload: 'offline' }
  const clientId = `mien-${settings.topic}`
  const connection = await connectBroker(settings.broker, { clientId, will, maxBytes: MAX_BYTES }, signal)
  onOpen()
  try {
    await bridge(client, connection, settings, topics, { log, progress }, signal)
  } finally {
    if (!connection.lost.aborted)
      await connection.publish(topics.state, will.payload, { retain: true }).catch(() => {})
    await connection.close()
  }
}

async function bridge(
  client: MienClient,
  connection: BrokerConnection,
  settings: BridgeSettings,
  topics: Topics,
  { log, progress }: Pick<SessionParts, 'log' | 'progress'>,
  stop: AbortSignal,
): Promise<void> {
  const ending = new AbortController()
  const signal = AbortSignal.any([stop, connection.lost, ending.signal])
  const stored = await readRetained(connection, [topics.position, topics.enabled('+')], topics.mark)
  const discovery = discoveryOf(settings, topics)
  if (discovery) {
    const { topic, payload } = bridgeDiscovery(discovery)
    await connection.publish(topic, payload, { retain: true })
  }
  const published = [...stored.keys()].flatMap(topic => topics.cameraOf(topic) ?? [])
  const cameras = openCameras({ client, connection, topics, discovery, signal }, published)
  const { privacy } = settings
  const fresh = new Set<string>()
  const parts = { client, connection, cameras, topics, privacy, fresh, progress, log, signal }
  const check = async () => {
    const cleared = await clearDeleted(parts)
    if (cleared > 0) log('messages cleared', { messages: cleared })
  }
  const tasks = [
    followEvents(parts, stored.get(topics.position) ?? progress.position),
    repeat(settings.camerasEveryMs, cameras.refresh, log, signal),
    repeat(settings.checkEveryMs, check, log, signal),
  ]
  try {
    await Promise.race(tasks)
  } finally {
    ending.abort()
    await Promise.allSettled(tasks)
  }
}

const discoveryOf = (
  { discovery, version, privacy }: BridgeSettings,
  topics: Topics,
): DiscoverySettings | undefined =>
  discovery === undefined ? undefined : { prefix: discovery, topics, version, pictures: privacy.pictures }

/** Runs the task at once and again after each interval. A failure of the service is for the next run, and that of the broker is the end. */
async function repeat(ms: number, task: () => Promise<void>, log: Log, signal: AbortSignal): Promise<never> {
  for (;;) {
    await task().catch((error: unknown) => {
      if (signal.aborted || error instanceof BrokerFailure) throw error
      log('check failed', factsOf(error))
    })
    await wait(ms, signal)
  }
}
