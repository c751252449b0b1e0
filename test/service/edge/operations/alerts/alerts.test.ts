/** Alert rules over the API, with the receiver of docs/alerts.md. */
import { spawn } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { startService } from '#bench/harness/service.ts'
import { MienClient } from '#clients/typescript/src/index.ts'
import { AlertSchema, DeliverySchema, SetAlertSchema } from '#contract/model/alert.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { freshApi } from '../../shared.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..')
const RECEIVER = { url: 'http://127.0.0.1:9/' }

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Starts the script of the documentation. Returns what it prints. */
async function documentedReceiver(port: number, secret: string): Promise<() => string> {
  const folder = await temporaryFolder()
  const [, script] =
    /```js\n([\s\S]*?)```/.exec(await readFile(join(ROOT, 'docs', 'alerts.md'), 'utf8')) ?? []
  await writeFile(join(folder, 'receiver.mjs'), script!)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { ...process.env, SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  let printed = ''
  child.stdout.on('data', text => {
    printed += text
  })
  await expect.poll(() => printed, { timeout: 60_000 }).toContain('ready')
  return () => printed
}

describe('alert rules', { tags: 'long' }, () => {
  it('reach the receiver of the documentation, with links that work', { timeout: 240_000 }, async () => {
    const port = await freePort()
    const service = await startService({ env: { MIEN_WEBHOOK_HOSTS: `127.0.0.1:${port}` } })
    onTestFinished(async () => {
      await service.stop()
      await service.remove()
    })
    const api = clientOf(service.edge, service.token)
    const url = `http://127.0.0.1:${port}/`
    const { status, body } = await api('POST', '/v1/alerts', { url, name: 'door' })
    expect(status).toBe(201)
    const { id, secret = '' } = SetAlertSchema.parse(body)
    const printed = await documentedReceiver(port, secret)
    const { body: camera } = await api('POST', '/v1/camera', {})
    const photo = await sample(3)
    const sent = await api('POST', '/v1/face', form({ photo, cam_id: camera.id }))
    const [face] = sent.body.results
    await expect.poll(printed, { timeout: 60_000 }).toContain(`door unknown ${face.id} http`)
    const [, link] = /door unknown \d+ (\S+)/.exec(printed()) ?? []
    expect((await fetch(link!)).headers.get('content-type')).toBe('image/jpeg')
    const deliveries = await api('GET', `/v1/alert/id/${id}/deliveries?state=delivered`)
    expect(deliveries.body.results.map((one: unknown) => DeliverySchema.parse(one))).toMatchObject([
      { face_id: face.id, attempts: 1 },
    ])
    expect((await api('POST', `/v1/alert/id/${id}/test`)).body).toMatchObject({ type: 'test' })
    const metrics = await (await fetch(`${service.core}/metrics`)).text()
    expect(metrics).toMatch(/mien_webhook_attempts_total\{outcome="delivered"\} [12]/)
    expect(service.output()).not.toContain(secret)
  })

  it('say how often a person without a name was seen over days, and the name that it gets', {
    timeout: 240_000,
  }, async () => {
    const data = await temporaryFolder()
    await writeFile(join(data, 'facenapi.ini'), 'person_identify = True\n')
    const service = await startService({ data })
    onTestFinished(async () => void (await service.stop()))
    const api = clientOf(service.edge, service.token)
    const { body: rule } = await api('POST', '/v1/alerts', { name: 'new', unknown: true })
    await api('POST', '/v1/galleries/staff')
    const strangers = { name: 'strangers', gallery: 'staff', unknown: true }
    expect((await api('POST', '/v1/alerts', strangers)).status).toBe(201)
    const { body: camera } = await api('POST', '/v1/camera', {})
    const photo = await sample(3)
    const days = ['2026-03-01', '2026-03-02', '2026-03-09']
    const persons: unknown[] = []
    const follow = new AbortController()
    onTestFinished(() => follow.abort())
    const mien = new MienClient({ url: service.edge, token: service.token })
    const live = mien.events({ alerts: true, signal: follow.signal, lastEventId: '0' })
    const alertsOf = async (count: number) => {
      const alerts: [string, number | undefined, string | undefined][] = []
      for (; alerts.length < count; ) {
        const { value } = await live.next()
        if (value && 'alert' in value)
          alerts.push([value.alert.alert.name, value.alert.person?.seen, value.alert.person?.meta])
      }
      return alerts.sort()
    }
    for (const timestamp of days) {
      const sent = await api('POST', '/v1/face', form({ photo, cam_id: camera.id, timestamp }))
      persons.push(sent.body.results[0].person_id)
      const isFirst = persons.length === 1
      expect(await alertsOf(isFirst ? 2 : 1)).toEqual([
        ...(isFirst ? [['new', 1, 'autogenerated']] : []),
        ['strangers', persons.length, 'autogenerated'],
      ])
    }
    expect(new Set(persons).size).toBe(1)
    await api('PUT', `/v1/person/id/${persons[0]}`, { meta: 'Ann' })
    await api('POST', '/v1/face', form({ photo, cam_id: camera.id, timestamp: '2026-03-20' }))
    expect(await alertsOf(1)).toEqual([['strangers', 4, 'Ann']])
    const { body: listed } = await api('GET', `/v1/alert/id/${rule.id}/deliveries`)
    expect(listed.results).toMatchObject([{ person_id: persons[0], state: 'delivered', attempts: 0 }])
    const { body: history } = await api('GET', `/v1/person/history/id/${persons[0]}`)
    expect(history.results).toHaveLength(4)
  })

  it('without a webhook have a secret from their first webhook on', async () => {
    const api = freshApi()
    const made = await api('POST', '/v1/alerts', { name: 'live' })
    expect(made.body).not.toHaveProperty('secret')
    expect(made.body).toMatchObject({ url: '' })
    const path = `/v1/alert/id/${made.body.id}`
    const test = await api('POST', `${path}/test`)
    expect(test.body).toMatchObject({ state: 'delivered', attempts: 0 })
    const first = await api('PUT', path, RECEIVER)
    expect(SetAlertSchema.parse(first.body).secret).toMatch(/^whsec_/)
    expect((await api('PUT', path, RECEIVER)).body).not.toHaveProperty('secret')
  })

  it('are created, listed, replaced, rotated and deleted by their owner alone', async () => {
    const [api, other] = [freshApi(), freshApi()]
    const made = await api('POST', '/v1/alerts', { ...RECEIVER, name: 'a', friend: true })
    const { secret, ...alert } = SetAlertSchema.parse(made.body)
    const path = `/v1/alert/id/${alert.id}`
    expect((await api('GET', path)).body).toEqual(alert)
    expect((await api('GET', '/v1/alerts')).body).toEqual({ results: [alert] })
    expect((await other('GET', '/v1/alerts')).body).toEqual({ results: [] })
    const requests = [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/deliveries/1/retry'],
    ] as const
    for (const [method, below] of requests)
      expect((await other(method, path + below, method === 'PUT' ? RECEIVER : undefined)).status).toBe(404)
    const replaced = await api('PUT', path, { ...RECEIVER, cooldown_seconds: 60 })
    expect(AlertSchema.parse(replaced.body)).toEqual({
      ...{ id: alert.id, created: alert.created, ...RECEIVER, name: '', enabled: true },
      ...{ threshold: alert.threshold, time_zone: 'UTC', cooldown_seconds: 60 },
    })
    expect((await api('POST', `${path}/secret`)).body.secret).not.toBe(secret)
    expect((await api('DELETE', path)).status).toBe(204)
    expect((await api('GET', path)).status).toBe(404)
  })

  it('do not reach addresses that are not public', async () => {
    const api = freshApi()
    const { id } = (await api('POST', '/v1/alerts', RECEIVER)).body
    await api('POST', `/v1/alert/id/${id}/test`)
    const first = async () => (await api('GET', `/v1/alert/id/${id}/deliveries`)).body.results[0]
    await expect.poll(first, { timeout: 30_000 }).toMatchObject({ state: 'pending', fault: 'no answer' })
  })

  it('list their deliveries in pages', async () => {
    const api = freshApi()
    const { id } = (await api('POST', '/v1/alerts', { ...RECEIVER, enabled: false })).body
    for (let i = 0; i < 3; i++) await api('POST', `/v1/alert/id/${id}/test`)
    const listed: number[] = []
    let next: string | null = `/v1/alert/id/${id}/deliveries?limit=2&state=pending`
    for (; next !== null; ) {
      const { body }: Awaited<ReturnType<typeof api>> = await api('GET', next)
      listed.push(...body.results.map((one: { id: number }) => one.id))
      next = body.next_page
    }
    expect(listed).toHaveLength(3)
    expect(listed).toEqual(listed.toSorted((a, b) => b - a))
  })

  it.each([
    ['url', { url: 'receiver' }],
    ['url', { url: 'https://anna:secret@receiver.example/' }],
    ['hours', { ...RECEIVER, hours: [{ days: ['mon'], from: '18', to: '06' }] }],
    ['time_zone', { ...RECEIVER, time_zone: 'Mars/Olympus' }],
    ['gallery', { ...RECEIVER, gallery: 'nobody' }],
    ['cooldown_seconds', { ...RECEIVER, cooldown_seconds: 1e9 }],
  ])('are refused for a wrong %s: %j', async (param, rule) => {
    const { status, body } = await freshApi()('POST', '/v1/alerts', rule)
    expect({ status, code: body.code, param: body.param }).toEqual({ status: 400, code: 'BAD_PARAM', param })
    expect(JSON.stringify(body)).not.toContain('secret@')
  })
})
