/** A service that changes its detector while it serves: its edges load what core announces, and no request fails. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it, onTestFinished } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { startService } from '#bench/harness/service.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { servedPack } from '../core/packs/served-pack.ts'

const MIEN = join(import.meta.dirname, '..', '..', '..', 'commands', 'mien.js')

/** Requests at a time, and answers that are compared: some of each worker. */
const CALLERS = 3
const LAST = 6

const SOON = { timeout: 60_000 }

it('a detector is downloaded and used without a restart, and back again, and no request fails', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const data = await temporaryFolder()
  await servedPack(data, 'mine')
  const service = await startService({ data, args: ['--edge-workers', '2'] })
  onTestFinished(async () => void (await service.stop()))
  const api = clientOf(service.edge, service.token)
  const photo = new Uint8Array(
    await sharp(await sample(5))
      .resize(320)
      .toBuffer(),
  )
  const statuses: number[] = []
  const isOver = new AbortController()
  let found: unknown[] = []
  const call = async () => {
    while (!isOver.signal.aborted) {
      const { status, body } = await api('POST', '/v1/detect', form({ photo }))
      statuses.push(status)
      found = [...found.slice(1 - LAST), JSON.stringify(body.faces)]
    }
  }
  const calls = Array.from({ length: CALLERS }, call)
  onTestFinished(async () => {
    isOver.abort()
    await Promise.all(calls)
  })
  const settled = () => found.length === LAST && new Set(found).size === 1 && found[0]
  await expect.poll(settled, SOON).toBeTruthy()
  const before = found[0]

  expect((await api('PUT', '/v1/detectors', form({ pack: 'mine' }))).status).toBe(200)
  await expect.poll(async () => (await api('GET', '/v1/service')).body.pack, SOON).toBe('mine')
  const hasChanged = () => settled() && found[0] !== before
  await expect.poll(hasChanged, SOON).toBe(true)
  const [entry] = (await api('GET', '/v1/audit-log?limit=1')).body.results
  expect(entry).toMatchObject({ action: 'detector.use', subject: { pack: 'mine' } })

  const said = execFileSync(process.execPath, [MIEN, 'models', 'use', 'standard', '--data', data], {
    encoding: 'utf8',
  })
  expect(said).toContain('A running service uses it within seconds')
  await expect.poll(() => settled() && found[0] === before, SOON).toBe(true)
  isOver.abort()
  await Promise.all(calls)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(service.output()).toContain('"event":"pack changed","pack":"standard"')
})
