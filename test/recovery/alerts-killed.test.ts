/** Cores that are killed between the commit of a face and the delivery of its message: every message and event arrives. */
import { expect, it, onTestFinished } from 'vitest'
import { clientOf, form } from '#bench/harness/client.ts'
import { type EventConnection, MienClient } from '#clients/typescript/src/index.ts'
import { createToken } from '#core/metadata/issue-tokens.ts'
import { photos } from '../contract/requests.ts'
import { startEdge } from '../service/edge/edge-process.ts'
import { startCore } from '../unit/core/core-process.ts'
import { temporaryFolder } from '../unit/core/folder.ts'
import { expectVerified } from '../verified.ts'
import { startReceiver } from '../webhook-receiver.ts'

const ROUNDS = 3
const FACES = 4

it(`messages of ${ROUNDS} cores that were killed arrive with one id each, and followers of events miss none`, {
  tags: 'long',
  timeout: 300_000,
}, async () => {
  const [data, receiver] = [await temporaryFolder(), await startReceiver()]
  const token = await createToken({ data, owner: 'acme', name: '' })
  const environment: Record<string, string> = {
    MIEN_WEBHOOK_HOSTS: receiver.host,
    MIEN_STORE_PICTURES: 'false',
  }
  const started = (given = environment) => {
    const core = startCore(data, given)
    // A full pipe would block it.
    core.child.stdout!.resume()
    return core
  }
  const first = started()
  const port = String(await first.port)
  const edge = await startEdge(data, [`http://127.0.0.1:${port}`])
  const api = clientOf(edge, token)
  const follower = follow(edge, token)
  await until(() => follower.states).toEqual(['live'])
  const { body: camera } = await api('POST', '/v1/camera', {})
  const { body: rule } = await api('POST', '/v1/alerts', { url: receiver.url })
  const [photo] = await photos()
  const acknowledged: number[] = []
  let core = first
  for (let round = 0; round < ROUNDS; round++) {
    // The receiver is silent: each kill is between a commit and a delivery.
    receiver.answer = () => undefined
    for (let i = 0; i < FACES; i++) {
      const { body } = await api(
        'POST',
        '/v1/face',
        form({ photo, cam_id: camera.id, bbox: '[5, 5, 90, 90]' }),
      )
      acknowledged.push(...body.results.map(({ id }: { id: number }) => id))
    }
    await until(() => follower.seen).toEqual(acknowledged)
    core.child.kill('SIGKILL')
    await core.exit
    await until(() => follower.states.at(-1)).toBe('reconnecting')
    receiver.answer = () => 200
    core = started({ ...environment, MIEN_CORE_PORT: port })
    await core.port
  }
  const pending = async () =>
    (await api('GET', `/v1/alert/id/${rule.id}/deliveries?state=pending`)).body.results?.length
  await expect.poll(pending, { timeout: 120_000 }).toBe(0)
  const faceOf = new Map(receiver.received.map(({ id, message }) => [id, message.data.face!.id]))
  expect([...faceOf.values()].sort()).toEqual(acknowledged.toSorted())
  await until(() => follower.states.at(-1)).toBe('live')
  expect(receiver.received.length).toBeGreaterThan(acknowledged.length)
  expect(receiver.received.every(received => receiver.isSigned(received, rule.secret))).toBe(true)
  core.child.kill()
  await core.exit
  expectVerified(data)
})

const until = (isSo: () => unknown) => expect.poll(isSo, { timeout: 60_000, interval: 20 })

/** Follows events until the end of the test: ids of their faces, and the states of the connection. */
function follow(url: string, token: string): { seen: number[]; states: EventConnection[] } {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const [seen, states]: [number[], EventConnection[]] = [[], []]
  const mien = new MienClient({ url, token, retryDelayMs: 50 })
  const onConnection = (state: EventConnection) => void states.push(state)
  const run = async () => {
    for await (const { face } of mien.events({ signal: stop.signal, onConnection })) seen.push(face.id)
  }
  run().catch(() => {})
  return { seen, states }
}
