/** Persons with sensors at the broker: publishes each one, follows their names, and clears messages of other persons. */
import type { MienClient } from '../../clients/typescript/src/index.ts'
import { nameOfPerson } from '../../contract/model/person.ts'
import type { BrokerConnection } from './broker/connection.ts'
import { type DiscoverySettings, personDiscovery, personDiscoveryTopic } from './discovery.ts'
import { ignoreNotFound } from './sighting.ts'
import type { Topics } from './topics.ts'

interface PresenceParts {
  client: MienClient
  connection: BrokerConnection
  topics: Topics
  discovery: DiscoverySettings
  /** Whether messages may have names. */
  names: boolean
  signal: AbortSignal
}

const LIST = /^\d{1,16}(,\d{1,16})*$/

/**
 * `persons`: ids of the persons. `stored`: the message of an earlier bridge with its persons. Returns a function that asks the
 * service for the persons and publishes changes. A deleted person loses the sensors.
 */
export function openPresence(parts: PresenceParts, persons: readonly number[], stored: string | undefined) {
  const { client, connection, topics, discovery, names, signal } = parts
  const published = new Map<number, string>()
  if (stored !== undefined && LIST.test(stored))
    for (const id of stored.split(',')) published.set(Number(id), 'unknown')
  let listed = stored ?? ''

  const retain = (topic: string, payload: string) => connection.publish(topic, payload, { retain: true })

  const list = async (ids: Iterable<number>) => {
    const payload = [...ids].join()
    if (payload !== listed) await retain(topics.presence, payload)
    listed = payload
  }

  const payloadOf = async (id: number) => {
    const person = await ignoreNotFound(client.persons.summary(id, { signal }))
    if (!person) return ''
    const name = names ? nameOfPerson(person.meta) || (person.face?.meta ?? '') : ''
    return personDiscovery({ id, name }, discovery).payload
  }

  return async (): Promise<void> => {
    const all = new Set([...published.keys(), ...persons])
    // The list goes first: after a kill, it shows the next bridge what remains to clear.
    await list(all)
    for (const id of all) {
      const payload = persons.includes(id) ? await payloadOf(id) : ''
      if (payload === (published.get(id) ?? '')) continue
      await retain(personDiscoveryTopic(discovery, id), payload)
      published.set(id, payload)
    }
    for (const id of all) if (!persons.includes(id)) published.delete(id)
    await list(persons)
  }
}
