/** Clears retained messages about faces that were deleted, or that belong to another person now. */
import type { MienClient } from '../../clients/typescript/src/index.ts'
import type { BrokerConnection } from './broker/connection.ts'
import { readRetained } from './broker/retained.ts'
import type { Cameras } from './cameras.ts'
import { found, type Privacy, readSighting } from './sighting.ts'
import type { Topics } from './topics.ts'

export interface CheckParts {
  client: MienClient
  connection: BrokerConnection
  cameras: Cameras
  topics: Topics
  privacy: Privacy
  /** Topics that were published during the check. Their messages stay. */
  fresh: Set<string>
  signal: AbortSignal
}

/** Asks the service for the face of each retained message. Returns the number of cleared messages. */
export async function clearDeleted(parts: CheckParts): Promise<number> {
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
  { client, cameras, topics, privacy, signal }: CheckParts,
  topic: string,
  payload: string,
): Promise<boolean> {
  const sighting = readSighting(payload)
  if (!sighting) return false
  const { person, face, thumbnail } = sighting
  if (!privacy.names && person.name !== undefined) return false
  if (!privacy.pictures && thumbnail !== undefined) return false
  const camera = topics.cameraOf(topic)
  if (camera === undefined ? topics.personOf(topic) !== person.id : !cameras.has(camera)) return false
  const stored = await found(client.faces.get(face.id, { signal }))
  return stored !== undefined && stored.person_id === person.id
}
