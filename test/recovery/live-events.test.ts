/** A core that is killed and started again while clients follow events: no event is missing, and none comes twice. */
import { expect, it, onTestFinished } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { type EventConnection, MienClient } from '#clients/typescript/src/index.ts'
import { openSecrets } from '#core/configuration/secrets.ts'
import { createToken } from '#core/metadata/issue-tokens.ts'
import { startEdge } from '../service/edge/edge-process.ts'
import { startCore } from '../unit/core/core-process.ts'
import { temporaryFolder } from '../unit/core/folder.ts'

it('followers of events resume after a kill and a restart of core', { tags: 'long' }, async () => {
  const data = await temporaryFolder()
  const started = async (port: number) => {
    const core = startCore(data, { MIEN_CORE_PORT: String(port) })
    core.child.stdout!.resume()
    return { core, port: await core.port }
  }
  const first = await started(0)
  const token = await createToken({ data, owner: 'ann', name: '' })
  await openSecrets(data)
  const edge = await startEdge(data, [`http://127.0.0.1:${first.port}`])
  const api = clientOf(edge, token)
  const camera = (await api('POST', '/v0/camera', {})).body.id
  const post = async () => {
    const { status, body } = await api('POST', '/v0/face', form({ photo: await sample(1), cam_id: camera }))
    expect(status).toBe(200)
    return body.results[0].id
  }

  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const seen: number[] = []
  const states: EventConnection[] = []
  const mien = new MienClient({ url: edge, token, retryDelayMs: 50 })
  const following = (async () => {
    const events = mien.events({ signal: stop.signal, onConnection: state => states.push(state) })
    for await (const { face } of events) seen.push(face.id)
  })().catch(() => {})
  const until = (isSo: () => unknown) => expect.poll(isSo, { timeout: 60_000, interval: 20 })
  await until(() => states).toEqual(['live'])
  const stored = [await post()]
  await until(() => seen).toEqual(stored)

  first.core.child.kill('SIGKILL')
  await first.core.exit
  await until(() => states.at(-1)).toBe('reconnecting')
  await started(first.port)
  stored.push(await post(), await post())
  await until(() => seen).toEqual(stored)
  expect(states.at(-1)).toBe('live')
  stop.abort()
  await following
})
