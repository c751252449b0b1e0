/** Rate limits of tokens over HTTP: the limit in core for all edges, and the rate limiting binding of a Worker. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createTestHarness } from 'wrangler'
import { clientOf } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { openSecrets } from '#core/configuration/secrets.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

it('a token beyond its rate gets 429 and is served again after Retry-After seconds', {
  tags: 'long',
}, async () => {
  const token = newToken(inject('data'), `rated ${process.pid}`, { rate: 0.5 })
  const api = clientOf(inject('edge'), token)
  expect((await api('GET', '/v0/galleries')).status).toBe(200)
  const { status, headers, body } = await api('GET', '/v0/galleries')
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'RATE_LIMITED' })
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  await sleep(seconds * 1000)
  expect((await api('GET', '/v0/galleries')).status).toBe(200)
})

it('a rate limiting binding counts the requests of each token separately', { tags: 'long' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mien-rates-'))
  const configPath = join(folder, 'wrangler.toml')
  const limiter =
    '[[ratelimits]]\nname = "RATE_LIMITER"\nnamespace_id = "1"\nsimple = { limit = 2, period = 60 }\n'
  await writeFile(configPath, `${await readFile(join(ROOT, 'wrangler.toml'), 'utf8')}\n${limiter}`)
  const harness = createTestHarness()
  onTestFinished(async () => {
    await harness.close()
    await rm(folder, { recursive: true })
  })
  const vars = { CORE_URL: inject('core'), EDGE_SECRET: (await openSecrets(inject('data'))).edge[0].key }
  await harness.update({ workers: [{ configPath, prebuiltWorkerDir: join(ROOT, 'dist', 'edge'), vars }] })
  const { url } = await harness.listen()
  const [first, second] = ['a', 'b'].map(name =>
    clientOf(url.origin, newToken(inject('data'), `limited ${name} ${process.pid}`)),
  ) as [ReturnType<typeof clientOf>, ReturnType<typeof clientOf>]
  let allowed = 0
  let answer = await first('GET', '/v0/galleries')
  for (; answer.status === 200; answer = await first('GET', '/v0/galleries')) allowed++
  // A minute boundary within the loop doubles the number.
  expect([2, 3, 4]).toContain(allowed)
  expect(answer.body.code).toBe('RATE_LIMITED')
  expect(answer.headers.get('retry-after')).toBe('60')
  expect((await second('GET', '/v0/galleries')).status).toBe(200)
})
