/** A broker that ends with the test, and a client that keeps its messages. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { type Broker, startBroker } from '#test/support/servers/mosquitto.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

interface BrokerSetup {
  /** User and password; anonymous without them. */
  login?: { user: string; password: string }
  /** Certificate and key of the listener. */
  tls?: { cert: string; key: string }
  /** Further lines of its configuration. */
  lines?: readonly string[]
}

/** Starts a broker that stores its messages at once. It ends with the test. */
export async function testBroker({
  login,
  tls,
  lines: further = [],
}: BrokerSetup = {}): Promise<Broker & { url: string }> {
  const folder = await temporaryFolder()
  const lines = [`allow_anonymous ${!login}`, ...further]
  if (login) {
    const file = join(folder, 'passwords')
    spawnSync('mosquitto_passwd', ['-b', '-c', file, login.user, login.password])
    lines.push(`password_file ${file}`)
  }
  if (tls) lines.push(`certfile ${tls.cert}`, `keyfile ${tls.key}`)
  const broker = await startBroker(folder, lines)
  onTestFinished(() => broker.kill())
  return { ...broker, url: `${tls ? 'mqtts' : 'mqtt'}://127.0.0.1:${broker.port}` }
}

interface Subscriber {
  /** The texts of a topic. */
  texts(topic: string): string[]
  /** The last text of a topic. Waits for the first one. */
  last(topic: string): Promise<string>
}

/** A client with a stored session: the broker keeps the messages that it misses. It ends with the test. */
export async function subscriber(url: string, ...filters: string[]): Promise<Subscriber> {
  const client = await connectAsync(url, {
    clientId: `test-${Math.random().toString(36).slice(2)}`,
    clean: false,
    reconnectPeriod: 100,
    resubscribe: true,
  })
  onTestFinished(() => void client.end(true))
  client.on('error', () => {})
  const heard: { topic: string; text: string }[] = []
  client.on('message', (topic, payload) => heard.push({ topic, text: payload.toString() }))
  await client.subscribeAsync(filters.length > 0 ? filters : ['#'], { qos: 1 })
  const texts = (topic: string) => heard.filter(one => one.topic === topic).map(({ text }) => text)
  return {
    texts,
    last: topic =>
      vi.waitFor(
        () => {
          const text = texts(topic).at(-1)
          if (text === undefined) throw new Error(`Nothing came on ${topic}.`)
          return text
        },
        { timeout: 60_000, interval: 50 },
      ),
  }
}

/** The stored messages of a broker by topic, as a new client receives them. */
export async function storedMessages(url: string, filter: string): Promise<Map<string, string>> {
  const client = await connectAsync(url)
  const stored = new Map<string, string>()
  const end = Promise.withResolvers<void>()
  client.on('message', (topic, payload, { retain }) => {
    if (topic === 'test/end') end.resolve()
    else if (retain) stored.set(topic, payload.toString())
  })
  await client.subscribeAsync(['test/end', filter], { qos: 0 })
  await client.publishAsync('test/end', 'x')
  await end.promise
  await client.endAsync()
  return stored
}
