/** Cores that are killed between the commit of a face and the delivery of its message: every message and event arrives, and the audit log has every answered change. */
import { expect, it, onTestFinished } from 'vitest'
import { MienClient } from '#clients/typescript/src/index.ts'
import { nextEntries } from '#core/metadata/audit-log/entries.ts'
import { verifyAudit } from '#core/metadata/audit-log/verification.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { createToken } from '#core/metadata/issue-tokens.ts'
import { clientOf, form, sample } from '#test/support/client.ts'
import { startReceiver } from '#test/support/servers/webhook-receiver.ts'
import { expectVerified } from '#test/support/verified.ts'
import { startEdge } from '../service/edge/edge-process.ts'
import { startCore } from '../unit/core/core-process.ts'
import { temporaryFolder } from '../unit/core/folder.ts'

const FACES = 4

it('messages of a core that was killed arrive, with one id each, as do live events, and the audit log is whole', {
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
  const { body: camera } = await api('POST', '/v1/camera', {})
  const { body: rule } = await api('POST', '/v1/alerts', { url: receiver.url })
  const seen: number[] = []
  const mien = new MienClient({ url: edge, token, retryDelayMs: 50 })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const following = (async () => {
    for await (const { face } of mien.events({ signal: stop.signal, lastEventId: '0' })) seen.push(face.id)
  })().catch(() => {})
  const photo = await sample(3)
  const acknowledged: number[] = []
  // The receiver is silent: the kill is between a commit and a delivery.
  receiver.answer = () => undefined
  for (let i = 0; i < FACES; i++) {
    const { body } = await api('POST', '/v1/face', form({ photo, cam_id: camera.id }))
    acknowledged.push(...body.results.map(({ id }: { id: number }) => id))
  }
  first.child.kill('SIGKILL')
  await first.exit
  receiver.answer = () => 200
  const core = started({ ...environment, MIEN_CORE_PORT: port })
  await core.port
  const pending = async () =>
    (await api('GET', `/v1/alert/id/${rule.id}/deliveries?state=pending`)).body.results?.length
  await expect.poll(pending, { timeout: 120_000 }).toBe(0)
  const faceOf = new Map(receiver.received.map(({ id, message }) => [id, message.data.face!.id]))
  expect([...faceOf.values()].sort()).toEqual(acknowledged.toSorted())
  expect(receiver.received.length).toBeGreaterThan(acknowledged.length)
  expect(receiver.received.every(received => receiver.isSigned(received, rule.secret))).toBe(true)
  // Followers of events resume: none is missing, and none comes twice.
  await expect.poll(() => seen, { timeout: 60_000 }).toEqual(acknowledged)
  stop.abort()
  await following
  core.child.kill()
  await core.exit
  const database = await openDatabase(data)
  expect(await verifyAudit(database)).not.toHaveProperty('fault')
  const enrolments = (await nextEntries(database, 0, 1_000)).filter(({ action }) => action === 'enrol')
  const recorded = enrolments.flatMap(({ subject }) => JSON.parse(subject).faces as number[])
  expect(recorded).toEqual(expect.arrayContaining(acknowledged))
  await closeDatabase(database)
  expectVerified(data)
})
