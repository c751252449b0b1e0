/** Reads the messages that the broker has stored. */
import { randomUUID } from 'node:crypto'
import type { BrokerConnection } from './connection.ts'
import { BrokerFailure } from './failure.ts'

/** Longest wait for the stored messages in milliseconds. */
const READ_MS = 60_000

/**
 * The stored messages of topics that match the filters, by topic. A mark is sent after the subscription: the broker delivers it
 * after the stored messages. Rejects with BrokerFailure.
 */
export async function readRetained(
  connection: BrokerConnection,
  filters: readonly string[],
  markTopic: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const mark = randomUUID()
  const all = [...filters, markTopic]
  const { promise: marked, resolve, reject } = Promise.withResolvers<void>()
  const stop = connection.onMessage(({ topic, payload, retained }) => {
    if (topic === markTopic) {
      if (payload.toString() === mark) resolve()
    } else if (retained) found.set(topic, payload.toString())
  })
  const lose = () => reject(connection.lost.reason)
  connection.lost.addEventListener('abort', lose, { once: true })
  const timer = setTimeout(() => reject(new BrokerFailure('timeout')), READ_MS)
  marked.catch(() => {})
  try {
    // With QoS 1, brokers bound the number of messages that wait, and drop others.
    await connection.subscribe(all, 0)
    await connection.publish(markTopic, mark)
    await marked
    await connection.unsubscribe(all)
    return found
  } finally {
    stop()
    clearTimeout(timer)
    connection.lost.removeEventListener('abort', lose)
  }
}
