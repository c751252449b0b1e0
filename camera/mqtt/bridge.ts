/** The bridge between the service and an MQTT broker: connects again after each failure, and publishes until the next one. */

import { type MienClient, MienError, MienNetworkError } from '../../clients/typescript/src/index.ts'
import { delayMs, wait } from '../../clients/typescript/src/send.ts'
import { environment } from '../../contract/environment.ts'
import { type Facts, type Log, traceOf } from '../../core/log.ts'
import { type Broker, type BrokerConnection, connectBroker, readRetained } from './broker/connection.ts'
import { BrokerFailure } from './broker/failure.ts'
import { openCameras } from './cameras.ts'
import { bridgeDiscovery, type DiscoverySettings } from './discovery.ts'
import { type EventParts, followEvents, type Progress } from './events.ts'
import { openPresence } from './presence.ts'
import { ignoreNotFound, type Privacy, readSighting } from './sighting.ts'
import { type Topics, topicsOf } from './topics.ts'

/** First pause before the next connection in milliseconds. It doubles with each failure. */
const FIRST_RETRY_MS = 1_000

/** A connection that lasted this long in milliseconds was sound: the next pause is the shortest again. */
const SOUND_CONNECTION_MS = 30_000

/** The service does not know the token, or the token lacks the scope. */
const DENIED_STATUSES = [401, 403]

/** Runs until the signal aborts. Rejects with MienError when the service refuses the token at the start. */
export async function runBridge(
  client: MienClient,
  settings: BridgeSettings,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const progress: Progress = { types: new Map(), last: new Map() }
  let wasOpen = false
  for (let failures = 0; !signal.aborted; ) {
    const start = environment.monotonic()
    const onOpen = () => {
      wasOpen = true
      log('broker connected')
    }
    const error = await runSession(client, settings, { log, onOpen, progress }, signal).catch(
      (cause: unknown) => cause,
    )
    if (signal.aborted) break
    if (!wasOpen && error instanceof MienError && DENIED_STATUSES.includes(error.status)) throw error
    log(error instanceof BrokerFailure ? 'broker away' : 'service away', factsOf(error))
    if (environment.monotonic() - start > SOUND_CONNECTION_MS) failures = 0
    const ms = delayMs(error, { retry: failures++, baseMs: FIRST_RETRY_MS, random: environment.random() })
    await wait(ms, signal).catch(() => {})
  }
  log('stopped')
}

/** Facts about a failure for a line of the log. */
function factsOf(error: unknown): Facts {
  if (error instanceof BrokerFailure) return { reason: error.reason, advice: error.advice }
  if (error instanceof MienError) return { code: error.code }
  return error instanceof MienNetworkError ? { code: 'no answer' } : traceOf(error)
}

/** Settings of the bridge. */
interface BridgeSettings {
  broker: Broker
  /** Base topic. */
  topic: string
  /** Prefix of Home Assistant's discovery. Absent: no discovery. */
  discovery?: string
  /** Version of Mien. */
  version: string
  privacy: Privacy
  /** Ids of persons with sensors of Home Assistant. */
  presence: readonly number[]
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
const MAX_MESSAGE_BYTES = 256 * 1024

/** Rejects with BrokerFailure, an error of the client, or the reason of the signal. Does not resolve. */
async function runSession(
  client: MienClient,
  settings: BridgeSettings,
  { log, onOpen, progress }: SessionParts,
  signal: AbortSignal,
) {
  const topics = topicsOf(settings.topic)
  // A service that refuses the token, or is away, costs the broker nothing.
  await client.cameras.list({ signal }).toArray()
  const will = { topic: topics.state, payload: 'offline' }
  const clientId = `mien-${settings.topic}`
  const connection = await connectBroker(
    settings.broker,
    { clientId, will, maxBytes: MAX_MESSAGE_BYTES },
    signal,
  )
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
) {
  const ending = new AbortController()
  const signal = AbortSignal.any([stop, connection.lost, ending.signal])
  const stored = await readRetained(
    connection,
    [topics.position, topics.presence, topics.enabled('+')],
    topics.mark,
  )
  const discovery = discoveryOf(settings, topics)
  if (discovery) {
    const { topic, payload } = bridgeDiscovery(discovery)
    await connection.publish(topic, payload, { retain: true })
  }
  const published = [...stored.keys()].flatMap(topic => topics.cameraOf(topic) ?? [])
  const cameras = openCameras({ client, connection, topics, discovery, signal }, published)
  const { privacy, presence } = settings
  const refreshPersons = discovery
    ? openPresence(
        { client, connection, topics, discovery, names: privacy.names, signal },
        presence,
        stored.get(topics.presence),
      )
    : async () => {}
  const fresh = new Set<string>()
  const parts = { client, connection, cameras, topics, privacy, fresh, progress, log, signal }
  // Less often: the audit log records who looks at a person.
  const check = async () => {
    await refreshPersons()
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

/**
 * Runs the task at once and again after each interval. After a failure of the service, the next run tries again; a failure of the
 * broker ends it.
 */
async function repeat(ms: number, task: () => Promise<void>, log: Log, signal: AbortSignal): Promise<never> {
  for (;;) {
    await task().catch((error: unknown) => {
      if (signal.aborted || error instanceof BrokerFailure) throw error
      log('check failed', factsOf(error))
    })
    await wait(ms, signal)
  }
}

/** Asks the service for the face of each retained message. Returns the number of cleared messages. */
async function clearDeleted(parts: EventParts) {
  const { connection, cameras, topics, fresh } = parts
  await cameras.refresh()
  fresh.clear()
  const stored = await readRetained(connection, [topics.person('+'), topics.seen('+')], topics.mark)
  let cleared = 0
  for (const [topic, payload] of stored) {
    if ((await isCurrent(parts, topic, payload)) || fresh.has(topic)) continue
    await connection.publish(topic, '', { retain: true })
    cleared++
  }
  return cleared
}

/** Whether the bridge would publish the message now. */
async function isCurrent(
  { client, cameras, topics, privacy, signal }: EventParts,
  topic: string,
  payload: string,
) {
  const sighting = readSighting(payload)
  if (!sighting) return false
  const { person, candidate, face, thumbnail, snapshot, clip } = sighting
  if (!privacy.names && (person.name ?? candidate?.name) !== undefined) return false
  if (!privacy.pictures && thumbnail !== undefined) return false
  if (!privacy.footage && (snapshot ?? clip) !== undefined) return false
  const camera = topics.cameraOf(topic)
  if (camera === undefined ? topics.personOf(topic) !== person.id : !cameras.has(camera)) return false
  const stored = await ignoreNotFound(client.faces.get(face.id, { signal }))
  return stored?.person_id === person.id && stored?.candidate?.person.id === candidate?.id
}
