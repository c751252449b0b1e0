/**
 * Publishes events and alerts in their order: the messages of each one, and then its position. The next bridge continues from this
 * position.
 */
import {
  type EventConnection,
  type Face,
  type LiveAlert,
  type LiveEvent,
  type MienClient,
  MienError,
} from '../../clients/typescript/src/index.ts'
import { environment } from '../../contract/environment.ts'
import { EVENT_LIMITS } from '../../contract/limits/events.ts'
import type { Log } from '../../core/log.ts'
import type { BrokerConnection } from './broker/connection.ts'
import type { Cameras } from './cameras.ts'
import { alertPayload, cameraIdOf, type Privacy, personName, type Sighting, sightingOf } from './sighting.ts'
import type { Topics } from './topics.ts'

/** State that the process keeps between connections. */
export interface Progress {
  /** The last position that a broker acknowledged. It counts when the broker has forgotten its own. */
  position?: string
  /** Type of the last event of each of the newest faces, and the last face of each retained topic. */
  types: Map<number, Sighting['event_type']>
  last: Map<string, number>
}

/** Number of faces whose event types are remembered, for visits that may still get a better picture. */
const REMEMBERED = 1_000

export interface EventParts {
  client: MienClient
  connection: BrokerConnection
  cameras: Cameras
  topics: Topics
  privacy: Privacy
  /** Topics of retained messages, added before they are published. A check for deleted faces leaves them. */
  fresh: Set<string>
  progress: Progress
  log: Log
  signal: AbortSignal
}

const POSITION = /^\d{1,16}$/

/** Age of the first event that a bridge asks for after a longer absence. The margin is for clocks that differ. */
const KEPT_MS = EVENT_LIMITS.ageMs - 10 * 60_000

/**
 * Publishes the events after the position, and without one those from now on. Rejects with BrokerFailure, an error of the client, or
 * the reason of the signal.
 */
export async function followEvents(parts: EventParts, position: string | undefined): Promise<void> {
  if (position === undefined || !POSITION.test(position)) return followFrom(parts, undefined)
  try {
    await followFrom(parts, position)
  } catch (error) {
    if (!(error instanceof MienError && error.code === 'BAD_PARAM')) throw error
    // Events begin at the database's time in microseconds: docs/decisions/0066-live-events.md.
    parts.log('events missed', { hours: EVENT_LIMITS.ageMs / 3_600_000 })
    await followFrom(parts, String((environment.now() - KEPT_MS) * 1_000))
  }
}

async function followFrom(parts: EventParts, position: string | undefined) {
  const { client, connection, topics, log, signal } = parts
  /** Stores the first position that the service names: a kill before the first event then loses nothing. */
  let beginning: Promise<void> | undefined = position === undefined ? undefined : Promise.resolve()
  const onPosition = (id: string) => {
    beginning ??= savePosition(parts, id)
    beginning.catch(() => {})
  }
  const onConnection = (state: EventConnection) => {
    log(state === 'live' ? 'service connected' : 'service away')
    // A failure of the broker reaches the next message.
    const payload = state === 'live' ? 'online' : 'offline'
    connection.publish(topics.state, payload, { retain: true }).catch(() => {})
  }
  const options = { alerts: true, lastEventId: position, signal, onPosition, onConnection } as const
  for await (const item of client.events(options)) {
    await beginning
    await ('alert' in item ? publishAlert(item, parts) : publishEvent(item, parts))
    await savePosition(parts, item.id)
  }
}

/**
 * Publishes the messages of an event in sequence. Resolves when the broker has acknowledged all. After a failure, the next
 * bridge publishes the event again, with the same id.
 */
async function publishEvent(event: LiveEvent, parts: EventParts) {
  const { connection, topics, fresh, progress, privacy } = parts
  if (event.face.added && !privacy.footage) return
  const complete = await completeSighting(event, parts)
  const { types, last } = progress
  const face = event.face.id
  const was = types.get(face)
  const sighting: Sighting = { ...complete, ...(complete.updated && was && { was }) }
  const { id } = sighting.camera
  const payload = JSON.stringify(sighting)
  const retain = async (topic: string) => {
    // Another person was seen since.
    if (sighting.updated && (last.get(topic) ?? face) !== face) return
    last.set(topic, face)
    fresh.add(topic)
    await connection.publish(topic, payload, { retain: true })
  }
  await connection.publish(topics.event(id), payload)
  if (await parts.cameras.find(id)) await retain(topics.person(id))
  if (typeof sighting.person.id === 'number') await retain(topics.seen(sighting.person.id))
  // After a failure, the repeated event has the same `was`.
  types.delete(face)
  types.set(face, sighting.event_type)
  if (types.size > REMEMBERED) types.delete(types.keys().next().value!)
}

/** Publishes the message of an alert. */
async function publishAlert(item: LiveAlert, parts: EventParts) {
  const { alert, face } = item.alert
  const sighting = face && (await completeSighting({ id: item.id, face }, parts))
  const payload = alertPayload(item, sighting, parts.privacy)
  await parts.connection.publish(parts.topics.alert(alert.id), JSON.stringify(payload))
}

/** The sighting of a face, with the names of its camera and of its person. */
async function completeSighting(
  event: { id: string; face: Face },
  { client, cameras, privacy, signal }: EventParts,
): Promise<Sighting> {
  const camera = await cameras.find(cameraIdOf(event))
  const name = await personName(client, event.face, signal)
  return sightingOf(event, { camera, name }, privacy)
}

async function savePosition({ connection, topics, progress }: EventParts, id: string) {
  await connection.publish(topics.position, id, { retain: true })
  progress.position = id
}
