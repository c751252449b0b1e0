/** Cores that are killed between the commit of a face and the delivery of its message: every message arrives. */
import { expect, it } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { createToken } from '#core/metadata/issue-tokens.ts'
import { startEdge } from '../service/edge/edge-process.ts'
import { startCore } from '../unit/core/core-process.ts'
import { temporaryFolder } from '../unit/core/folder.ts'
import { expectVerified } from '../verified.ts'
import { startReceiver } from '../webhook-receiver.ts'

const ROUNDS = 3
const FACES = 4

it(`messages of ${ROUNDS} cores that were killed arrive, with one id each`, {
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
  const api = clientOf(await startEdge(data, [`http://127.0.0.1:${port}`]), token)
  const { body: camera } = await api('POST', '/v1/camera', {})
  const { body: rule } = await api('POST', '/v1/alerts', { url: receiver.url })
  const photo = await sample(3)
  const acknowledged: number[] = []
  let core = first
  for (let round = 0; round < ROUNDS; round++) {
    // The receiver is silent: each kill is between a commit and a delivery.
    receiver.answer = () => undefined
    for (let i = 0; i < FACES; i++) {
      const { body } = await api('POST', '/v1/face', form({ photo, cam_id: camera.id }))
      acknowledged.push(...body.results.map(({ id }: { id: number }) => id))
    }
    core.child.kill('SIGKILL')
    await core.exit
    receiver.answer = () => 200
    core = started({ ...environment, MIEN_CORE_PORT: port })
    await core.port
  }
  const pending = async () =>
    (await api('GET', `/v1/alert/id/${rule.id}/deliveries?state=pending`)).body.results?.length
  await expect.poll(pending, { timeout: 120_000 }).toBe(0)
  const faceOf = new Map(receiver.received.map(({ id, message }) => [id, message.data.face!.id]))
  expect([...faceOf.values()].sort()).toEqual(acknowledged.sort())
  expect(receiver.received.length).toBeGreaterThan(acknowledged.length)
  expect(receiver.received.every(received => receiver.isSigned(received, rule.secret))).toBe(true)
  core.child.kill()
  await core.exit
  expectVerified(data)
})
