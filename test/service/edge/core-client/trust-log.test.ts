/** An edge and a core that do not trust each other: both log the cause and the remedy. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '#bench/harness/service.ts'
import { LIMITS } from '#contract/limits.ts'
import { newToken } from '#contract/model/token.ts'
import { trustLog } from '#edge/core-client/trust-log.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { startLoggedEdge } from '../logged-edge.ts'

describe('trustLog', () => {
  it('logs each core and cause at most once per LIMITS.trustAdviceMs', () => {
    const written: Record<string, unknown>[] = []
    let at = 0
    const tell = trustLog(
      entry => written.push(entry),
      () => at,
    )
    for (let i = 0; i < 100; i++) tell('http://one:8788', 'signature')
    tell('http://two:8788', 'signature')
    tell('http://one:8788', 'certificate')
    expect(written).toMatchObject([
      {
        event: 'core not trusted',
        core: 'one:8788',
        why: 'signature',
        advice: expect.stringContaining('EDGE_SECRET'),
      },
      { core: 'two:8788', why: 'signature' },
      { core: 'one:8788', why: 'certificate', advice: expect.stringContaining('certificate') },
    ])
    at = LIMITS.trustAdviceMs
    tell('http://one:8788', 'signature')
    expect(written).toHaveLength(4)
  })
})

describe('an edge with a wrong secret', { tags: 'long' }, () => {
  it('is reported with advice in the logs of the edge and of core', async () => {
    const service = await startService()
    onTestFinished(async () => {
      await service.stop()
      await service.remove()
    })
    const edge = await startLoggedEdge({
      MIEN_EDGE_SECRET: 'not the secret of that core, but as long as one',
      MIEN_CORE_URL: service.core,
    })
    for (let i = 0; i < 5; i++) {
      const refused = await fetch(`${edge.origin}/v0/faces`, {
        headers: { authorization: `Token ${service.token}` },
      })
      expect(refused.status).toBe(503)
    }
    const told = () => edge.lines().filter(({ event }) => event === 'core not trusted')
    await expect.poll(told).toMatchObject([
      {
        core: new URL(service.core).host,
        why: 'signature',
        advice: expect.stringContaining('secrets show edge'),
      },
    ])
    const inCore = () =>
      service
        .output()
        .match(/"event":"signature rejected","why":"unknown key","advice":"[^"]*secrets show edge/g)
    await expect.poll(inCore).toHaveLength(1)
  })
})

describe('a core with an invalid certificate', { tags: 'long' }, () => {
  it('is reported in the log of the edge', async () => {
    const folder = await temporaryFolder()
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=elsewhere.test', '-days', '2', '-nodes', '-newkey', 'rsa:2048']
    expect(spawnSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert]).status).toBe(0)
    const server = createServer({ key: await readFile(key), cert: await readFile(cert) })
    onTestFinished(() => void server.close())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const edge = await startLoggedEdge({ MIEN_CORE_URL: `https://127.0.0.1:${port}` })
    const headers = { authorization: `Token ${await newToken()}` }
    expect((await fetch(`${edge.origin}/v0/faces`, { headers })).status).toBe(503)
    const told = () => edge.lines().filter(({ event }) => event === 'core not trusted')
    await expect.poll(told).toMatchObject([{ core: `127.0.0.1:${port}`, why: 'certificate' }])
  })
})
