/** Changes at a database with a replica: acknowledged only when the replica has them, and kept when the primary is lost. */

import { environment } from '#contract/environment.ts'
import { rpcPath, streamPath } from '#contract/operations/messages.ts'
import { decodeFrame } from '#contract/rpc/frame.ts'
import { claimInstallation } from '#core/metadata/connection/cores.ts'
import { openReplicas } from '#core/metadata/connection/replicas.ts'
import { faceCount } from '#core/metadata/faces/faces.ts'
import { enrolment, FACE, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { startReplicatedDatabase } from '#test/support/servers/database-server.ts'
import { times } from '#test/support/times.ts'
import { openCores } from '../../operations/neighbours.ts'
import { cameraOf, enrolOne } from '../../operations/world.ts'
import { openRoutes } from '../asked.ts'

const { chip, thumbnail } = FACE

/** A core at a database with a replica. It waits for a third of the time that a core waits. */
async function openCore() {
  const deadline = vi
    .spyOn(environment, 'deadline')
    .mockImplementation(ms => AbortSignal.timeout(Math.round(ms / 3)))
  onTestFinished(() => deadline.mockRestore())
  const database = await startReplicatedDatabase()
  onTestFinished(() => database.remove())
  const address = { url: database.primary.url, replicas: [database.replica.url] }
  const [core] = await openCores(1, address)
  await claimInstallation(core!.database, 'an installation')
  const news: string[] = []
  const replicas = openReplicas(address, event => news.push(event))
  const { post, ask } = await openRoutes(core!, { replicas })
  const enrol = async (key: string) => {
    const idempotency = { key, requestHash: key }
    const response = await post(rpcPath('enrol'), enrolment(1, { idempotency }), [chip.data, thumbnail.data])
    const { header } = decodeFrame(new Uint8Array(await response.arrayBuffer()))
    return { status: response.status, id: (header as { faces?: { id: number }[] }).faces?.[0]?.id }
  }
  return { database, core: core!, enrol, ask, post, news }
}

it('a change that the replica lacks gets 504, and its repetition is acknowledged once the replica has it', {
  tags: 'long',
}, async () => {
  const { database, core, enrol, ask, news } = await openCore()
  await enrol('first')
  process.kill(database.replica.pid(), 'SIGSTOP')
  expect(await enrol('second')).toEqual({ status: 504, id: undefined })
  expect(await faceCount(core.database, OWNER)).toBe(2)
  const { faces } = await ask('faces.page', { owner: OWNER, limit: 10 })
  expect(faces).toHaveLength(2)
  process.kill(database.replica.pid(), 'SIGCONT')
  expect(await enrol('second')).toMatchObject({ status: 200, id: faces.find(({ id }) => id)!.id })
  expect(await faceCount(core.database, OWNER)).toBe(2)
  expect(news).toEqual(['replica unavailable', 'replica available'])
})

it('evidence is not signed by a key that the replica lacks', { tags: 'long' }, async () => {
  const { database, core, post } = await openCore()
  await enrolOne(core, FACE, { camera: await cameraOf(core, OWNER) })
  const path = streamPath('evidence.export')
  const request = { owner: OWNER, by: TOKEN, filter: { cameras: [] } }
  process.kill(database.replica.pid(), 'SIGSTOP')
  await expect(post(path, request)).toAnswer(503)
  process.kill(database.replica.pid(), 'SIGCONT')
  await expect(post(path, request)).toAnswer(200)
})

it('changes do not begin while the replica is away, and continue when it is back', {
  tags: 'long',
}, async () => {
  const { database, core, enrol } = await openCore()
  await database.replica.kill()
  await expect(enrol('first')).toAnswer(504)
  for (const key of ['second', 'third']) await expect(enrol(key)).toAnswer(503)
  expect(await faceCount(core.database, OWNER)).toBe(1)
  await database.replica.start()
  for (const key of ['first', 'second', 'third']) await expect(enrol(key)).toAnswer(200)
  expect(await faceCount(core.database, OWNER)).toBe(3)
})

it('no acknowledged face is lost with the disk of the primary, and the core continues with a new replica', {
  tags: 'long',
}, async () => {
  const { database, core, enrol } = await openCore()
  const acknowledged = new Map<string, number>()
  let isLost = false
  const caller = async (number: number) => {
    for (let i = 0; !isLost; i++) {
      const { status, id } = await enrol(`${number}-${i}`)
      if (status === 200) acknowledged.set(`${number}-${i}`, id!)
    }
  }
  const callers = times(4, caller)
  while (acknowledged.size < 20) await new Promise(resolve => setTimeout(resolve, 10))
  await database.promote()
  isLost = true
  await Promise.all(callers)
  await expect(enrol('after')).toAnswer(503)

  await database.addReplica()
  for (const [key, id] of acknowledged) expect(await enrol(key)).toEqual({ status: 200, id })
  await expect(enrol('after')).toAnswer(200)
  expect(await faceCount(core.database, OWNER)).toBeGreaterThan(acknowledged.size)
})
