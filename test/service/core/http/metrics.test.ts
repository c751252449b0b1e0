/** GET /metrics of the running service: it counts requests of both halves, and names no caller. */
import { inject } from 'vitest'
import { form, sample } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { anonymous, freshApi } from '../../edge/shared.ts'

const core = inject('core')

const scrape = async () => (await fetch(`${core}/metrics`)).text()

/** The value of a metric with these labels, written as Prometheus does; 0 when there is none yet. */
function valueIn(text: string, name: string, labels: Record<string, string>) {
  const written = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const line = text
    .split('\n')
    .find(each => each.startsWith(`${name}{`) && written.every(part => each.includes(part)))
  return Number(line?.split(' ').at(-1) ?? 0)
}

const counted = async (half: string, operation: string, code: string) =>
  valueIn(await scrape(), 'mien_requests_total', { half, operation, code })

const until = { timeout: 30_000, interval: 500 }

describe('a request', { tags: 'long' }, () => {
  it('is counted in both halves, with the stages of its photo', async () => {
    const before = await scrape()
    const rise = (now: string, name: string, labels: Record<string, string>) =>
      valueIn(now, name, labels) - valueIn(before, name, labels)
    const photo = await sample(1)
    const fields = { photo, mf_selector: 'all' }
    await expect(freshApi()('POST', '/v1/face', form(fields))).toAnswer(200)
    await expect
      .poll(async () => {
        const now = await scrape()
        return [
          rise(now, 'mien_requests_total', { half: 'edge', operation: 'enrol', code: 'OK' }),
          rise(now, 'mien_requests_total', { half: 'core', operation: 'enrol', code: 'OK' }),
          rise(now, 'mien_request_duration_seconds_count', { half: 'edge', operation: 'enrol' }),
          ...['decode', 'detect', 'landmarks', 'align'].map(stage =>
            rise(now, 'mien_stage_duration_seconds_count', { half: 'edge', stage }),
          ),
          ...['embed', 'commit'].map(stage =>
            rise(now, 'mien_stage_duration_seconds_count', { half: 'core', stage }),
          ),
        ].every(count => count >= 1)
      }, until)
      .toBe(true)
  })

  it('that never reaches core is counted without any other request', async () => {
    const before = await counted('edge', 'deleteCamera', 'AUTH_FAILED')
    for (let i = 0; i < 3; i++)
      await expect(anonymous('DELETE', '/v1/camera/0f8fad5b-d9cb-469f-a165-70867728950e')).toAnswer(401)
    await expect.poll(() => counted('edge', 'deleteCamera', 'AUTH_FAILED'), until).toBe(before + 3)
  })
})

it('the metrics name no owner, no token, no gallery and no path', { tags: 'long' }, async () => {
  const name = 'a-gallery-with-a-name'
  const api = freshApi()
  await expect(api('POST', `/v1/galleries/${name}`)).toAnswer(201)
  await expect(fetch(`${core}/nowhere-at-all`)).toAnswer(404)
  await expect(fetch(`${core}/v1/${name}/list/0/1`)).toAnswer(404)
  const token = newToken(inject('data'), 'a-person-who-is-not-named')
  await expect.poll(() => counted('core', 'store.list', 'NOT_FOUND'), until).toBeGreaterThan(0)
  const text = await scrape()
  for (const secret of [name, 'nowhere', 'a-person-who-is-not-named', token, inject('data')])
    expect(text).not.toContain(secret)
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
  expect(
    [...labels].filter(label => !/^(major|minor|patch|kind|outcome|space|type)$/.test(label!)).sort(),
  ).toEqual(['code', 'half', 'le', 'operation', 'pack', 'shard', 'stage', 'state', 'version'])
})
