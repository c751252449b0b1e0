/**
 * One connection to an MQTT broker. It ends with the first failure: callers open the next one, and decide about repetitions. The
 * repetitions and queues of the client library are off.
 */

import { rootCertificates } from 'node:tls'
import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import { environment } from '../../../contract/environment.ts'
import { BrokerFailure, failureOf } from './failure.ts'

export interface Broker {
  /** `mqtt://` or `mqtts://`, without a user name and password. */
  url: string
  user?: string
  password?: string
  /** Certificate authority in PEM, beside the authorities of the system. */
  ca?: string
}

interface ConnectionSettings {
  /** Unique at the broker: of two connections with one id, the broker ends the older one. */
  clientId: string
  /** A retained message that the broker publishes when the connection breaks. */
  will?: { topic: string; payload: string }
  /** Bytes of one received message. */
  maxBytes: number
}

interface Received {
  topic: string
  payload: Buffer
  /** The broker had stored the message before the subscription. */
  retained: boolean
}

export type BrokerConnection = ReturnType<typeof connectionOf>

const CONNECT_MS = 15_000

/** Seconds of silence after which the broker counts a client as gone, and publishes its will, times 1.5. */
const KEEP_ALIVE_SECONDS = 20

/** Longest wait for an acknowledgement in milliseconds. */
const ACKNOWLEDGED_MS = 30_000

/** Connects. Rejects with BrokerFailure, or the reason of the signal. */
export async function connectBroker(
  broker: Broker,
  settings: ConnectionSettings,
  signal: AbortSignal,
): Promise<BrokerConnection> {
  signal.throwIfAborted()
  const client = connect(broker.url, optionsOf(broker, settings))
  // The client emits errors as long as it lives. Those after the first one say nothing new.
  client.on('error', () => {})
  const stop = Promise.withResolvers<never>()
  const abort = () => stop.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    await Promise.race([connected(client), stop.promise])
    return connectionOf(client)
  } catch (error) {
    client.end(true)
    const isEnded = error instanceof BrokerFailure && error.reason === 'connection lost'
    throw isEnded && broker.url.startsWith('mqtts:') ? new BrokerFailure('no TLS') : error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const optionsOf = (
  { user, password, ca }: Broker,
  { clientId, will, maxBytes }: ConnectionSettings,
): IClientOptions => ({
  protocolVersion: 5,
  clientId,
  clean: true,
  reconnectPeriod: 0,
  connectTimeout: CONNECT_MS,
  keepalive: KEEP_ALIVE_SECONDS,
  resubscribe: false,
  queueQoSZero: false,
  properties: { maximumPacketSize: maxBytes },
  ...(user !== undefined && { username: user }),
  ...(password !== undefined && { password }),
  ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
  ...(will && { will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: true } }),
})

function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', error => reject(failureOf(error)))
    // A broker that takes no connection within the time closes without an error.
    client.once('close', () => reject(new BrokerFailure('timeout')))
  })
}

function connectionOf(client: MqttClient) {
  const lost = new AbortController()
  const lose = (error?: unknown) => {
    if (!lost.signal.aborted) lost.abort(error ? failureOf(error) : new BrokerFailure('connection lost'))
    client.end(true)
  }
  client.on('error', lose)
  client.on('disconnect', ({ reasonCode }) => lose(Object.assign(new Error(), { code: reasonCode })))
  client.on('close', () => lose())

  /** The result of a call of the client. A lost connection, or a silent broker, fails it. */
  const acknowledged = <T>(call: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      lost.signal.throwIfAborted()
      const end = () => reject(lost.signal.reason)
      const timer = environment.timer(() => lose(new BrokerFailure('timeout')), ACKNOWLEDGED_MS)
      lost.signal.addEventListener('abort', end, { once: true })
      call()
        .then(resolve, error => reject(failureOf(error)))
        .finally(() => {
          timer.cancel()
          lost.signal.removeEventListener('abort', end)
        })
    })

  return {
    /** Aborts with a BrokerFailure when the connection is lost. */
    lost: lost.signal,
    /** Sends with QoS 1, and resolves when the broker has acknowledged it. Rejects with BrokerFailure. */
    publish: async (topic: string, payload: string, { retain = false } = {}) => {
      await acknowledged(() => client.publishAsync(topic, payload, { qos: 1, retain }))
    },
    /** Resolves when the broker has granted all filters. Rejects with BrokerFailure. */
    subscribe: async (filters: readonly string[], qos: 0 | 1): Promise<void> => {
      const granted = await acknowledged(() => client.subscribeAsync([...filters], { qos }))
      if (granted.some(({ qos }) => qos >= 128)) throw new BrokerFailure('access denied')
    },
    unsubscribe: async (filters: readonly string[]) => {
      await acknowledged(() => client.unsubscribeAsync([...filters]))
    },
    /** Returns a function that ends the calls. */
    onMessage(listener: (message: Received) => void): () => void {
      const hear = (topic: string, payload: Buffer, { retain }: { retain: boolean }) =>
        listener({ topic, payload, retained: retain })
      client.on('message', hear)
      return () => void client.off('message', hear)
    },
    /** Ends the connection without the will. */
    close: async () => {
      client.off('close', lose)
      await client.endAsync().catch(() => {})
      lose()
    },
  }
}

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
  const mark = environment.id()
  const all = [...filters, markTopic]
  const { promise: marked, resolve, reject } = Promise.withResolvers<void>()
  const stop = connection.onMessage(({ topic, payload, retained }) => {
    if (topic === markTopic) {
      if (payload.toString() === mark) resolve()
    } else if (retained) found.set(topic, payload.toString())
  })
  const lose = () => reject(connection.lost.reason)
  connection.lost.addEventListener('abort', lose, { once: true })
  const timer = environment.timer(() => reject(new BrokerFailure('timeout')), READ_MS)
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
    timer.cancel()
    connection.lost.removeEventListener('abort', lose)
  }
}
