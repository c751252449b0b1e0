/** Connections to a broker: TLS, refusals, and the reading of many stored messages. Skipped without mosquitto. */

import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Broker, connectBroker, readRetained } from '#camera/mqtt/broker/connection.ts'
import { hasMosquitto } from '#test/support/servers/mosquitto.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { testBroker } from './mosquitto.ts'

const SETTINGS = { clientId: 'test', maxBytes: 1_000_000 }

async function connected(broker: Broker) {
  const connection = await connectBroker(broker, SETTINGS, new AbortController().signal)
  onTestFinished(() => connection.close())
  return connection
}

/** A certificate for 127.0.0.1 that no authority has signed. */
async function certificate() {
  const folder = await temporaryFolder()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const names = ['-subj', '/CN=broker', '-addext', 'subjectAltName=IP:127.0.0.1']
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  spawnSync('openssl', [...request, '-keyout', key, '-out', cert, ...names])
  chmodSync(key, 0o644)
  return { cert, key }
}

describe.skipIf(!hasMosquitto)('a connection to a broker', { tags: ['long', 'mosquitto'] }, () => {
  it('needs a certificate authority for mqtts, and names the mistake', async () => {
    const tls = await certificate()
    const { url } = await testBroker({ tls })
    await expect(connected({ url })).rejects.toMatchObject({ reason: 'unknown certificate' })
    const ca = readFileSync(tls.cert, 'utf8')
    await expect(connected({ url: url.replace('127.0.0.1', 'localhost'), ca })).rejects.toMatchObject({
      reason: 'wrong certificate',
    })
    await (await connected({ url, ca })).publish('a', 'b')
  })

  it('names a broker without TLS, an unknown host, and a wrong password', async () => {
    const { url, port } = await testBroker({ login: { user: 'ann', password: 'right' } })
    await expect(connected({ url: `mqtts://127.0.0.1:${port}` })).rejects.toMatchObject({
      reason: 'no TLS',
    })
    await expect(connected({ url: 'mqtt://broker.invalid' })).rejects.toMatchObject({
      reason: 'unknown host',
    })
    await expect(connected({ url, user: 'ann', password: 'wrong' })).rejects.toMatchObject({
      reason: 'access denied',
    })
  })

  it('is lost when another client takes its id, and its calls fail', async () => {
    const { url } = await testBroker()
    const first = await connected({ url })
    await connected({ url })
    await expect.poll(() => first.lost.aborted).toBe(true)
    expect(first.lost.reason).toMatchObject({ reason: 'connection lost' })
    await expect(first.publish('a', 'b')).rejects.toMatchObject({ reason: 'connection lost' })
  })

  it('names a message that is larger than the broker allows', async () => {
    const connection = await connected(await testBroker({ lines: ['max_packet_size 1000'] }))
    await expect(connection.publish('a', 'b'.repeat(2_000))).rejects.toMatchObject({ reason: 'too large' })
  })

  it('fails calls that the broker no longer answers', async () => {
    const broker = await testBroker()
    const connection = await connected(broker)
    await broker.kill()
    await expect(connection.publish('a', 'b')).rejects.toHaveProperty('reason')
    expect(connection.lost.aborted).toBe(true)
  })

  it('reads all of 1,200 stored messages', async () => {
    const connection = await connected(await testBroker())
    const topics = times(1_200, i => `many/${i}`)
    await Promise.all(topics.map(topic => connection.publish(topic, topic, { retain: true })))
    const stored = await readRetained(connection, ['many/+'], 'mark')
    expect(stored).toEqual(new Map(topics.map(topic => [topic, topic])))
    expect(await readRetained(connection, ['none/+'], 'mark')).toEqual(new Map())
  })
})
