import { type Development, startDevelopment, statusesUntil } from '#test/support/development.ts'

describe('npm run dev', { tags: 'long' }, () => {
  let development: Development
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${development.edge}${path}`, {
      headers: { authorization: `Token ${development.token}`, ...headers },
    })

  beforeAll(async () => {
    development = await startDevelopment()
  })
  afterAll(() => development?.stop())

  it('starts with a gallery of sample faces that have persons', async () => {
    const { results } = (await (await get('/v1/faces/gallery/samples')).json()) as {
      results: { person_id: number | null }[]
    }
    // Faces of low quality found no person.
    expect(results.filter(({ person_id }) => typeof person_id === 'number').length).toBeGreaterThan(10)
  })

  it('ignores headers that direct the entry worker of Miniflare', async () => {
    const redirected = await get('/healthz', { 'MF-Original-URL': `${development.edge}/v1/galleries` })
    expect(await redirected.json()).toEqual({ status: 'ok' })
  })

  it.each([
    { part: 'the edge', path: 'edge/app.ts', text: "status: 'ok'", url: () => `${development.edge}/healthz` },
    {
      part: 'the console',
      path: 'console/index.html',
      text: '<title>Mien',
      url: () => `${development.edge}/`,
    },
  ])('serves a saved source of $part, and refuses requests before that with 503 only', async change => {
    await development.change(change.path, change.text, change.text.replace(/ok|Mien/, 'changed'))
    const statuses = await statusesUntil(change.url(), 'changed')
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]))
  })

  it('serves a saved source of core, and refuses requests before that with 503 only', async () => {
    await development.change('core/http/readiness.ts', "status: 'up'", "status: 'changed'")
    const seen = new Set<number>()
    let isReloaded = false
    const reloaded = statusesUntil(`${development.core}/healthz`, 'changed').then(() => (isReloaded = true))
    while (!isReloaded) seen.add((await get('/v1/galleries')).status)
    await reloaded
    expect([200, 503]).toEqual(expect.arrayContaining([...seen]))
    await expect(get('/v1/galleries')).toAnswer(200)
  })

  it('keeps the edge while a saved source does not compile', async () => {
    await development.change('edge/app.ts', 'export function createApp', 'export function (createApp')
    await vi.waitFor(() => expect(development.output()).toContain('Not reloaded'), 30_000)
    await expect(get('/v1/galleries')).toAnswer(200)
  })
})
