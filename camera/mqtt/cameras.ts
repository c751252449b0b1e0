/** The cameras at the broker: publishes each one, follows changes, and clears messages of deleted cameras. */
import type { Camera, MienClient } from '../../clients/typescript/src/index.ts'
import type { BrokerConnection } from './broker/connection.ts'
import {
  cameraDiscovery,
  cameraDiscoveryTopic,
  type DiscoveryMessage,
  type DiscoverySettings,
} from './discovery.ts'
import type { Topics } from './topics.ts'

export type Cameras = ReturnType<typeof openCameras>

export interface CameraParts {
  client: MienClient
  connection: BrokerConnection
  topics: Topics
  /** Absent: no discovery. */
  discovery: DiscoverySettings | undefined
  signal: AbortSignal
}

/** `stored`: ids of the cameras that earlier bridges have published. */
export function openCameras(parts: CameraParts, stored: Iterable<string>) {
  const { client, connection, topics, discovery, signal } = parts
  const published = new Map<string, string>([...stored].map(id => [id, '']))
  let known = new Map<string, Camera>()
  /** Deleted cameras that events still name. */
  const deleted = new Set<string>()
  let reading: Promise<void> | undefined

  const retain = ({ topic, payload }: DiscoveryMessage) =>
    connection.publish(topic, payload, { retain: true })

  const publish = async (camera: Camera) => {
    const messages = [{ topic: topics.enabled(camera.id), payload: camera.enabled ? 'ON' : 'OFF' }]
    if (discovery) messages.push(cameraDiscovery(camera, discovery))
    const all = JSON.stringify(messages)
    if (published.get(camera.id) === all) return
    for (const one of messages) await retain(one)
    published.set(camera.id, all)
  }

  /** `enabled` goes last: after a kill, it shows the next bridge what remains to clear. */
  const clear = async (id: string) => {
    if (discovery) await retain({ topic: cameraDiscoveryTopic(discovery.prefix, id), payload: '' })
    await retain({ topic: topics.person(id), payload: '' })
    await retain({ topic: topics.enabled(id), payload: '' })
    published.delete(id)
  }

  const read = async () => {
    const listed = await client.cameras.list({ signal }).toArray()
    known = new Map(listed.map(camera => [camera.id, camera]))
    deleted.clear()
    for (const id of [...published.keys()]) if (!known.has(id)) await clear(id)
    for (const camera of listed) await publish(camera)
  }

  const refresh = () => {
    reading ??= read().finally(() => (reading = undefined))
    return reading
  }

  return {
    /** Reads the list of the service, and publishes changes. */
    refresh,
    has: (id: string) => known.has(id),
    /** The camera. Reads the list again for an unknown one. Undefined for a deleted one. */
    async find(id: string): Promise<Camera | undefined> {
      if (!known.has(id) && !deleted.has(id)) {
        await refresh()
        if (!known.has(id)) deleted.add(id)
      }
      return known.get(id)
    },
  }
}
