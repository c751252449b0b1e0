/** The setting of the origins whose pages may read answers. */
import { Hono } from 'hono'
import { parseEnv } from '#edge/env.ts'
import { crossOrigin } from '#edge/http/cross-origin.ts'

const APP = 'https://app.example.com'

describe('CORS_ORIGINS', () => {
  const originsOf = (CORS_ORIGINS: string) =>
    parseEnv({
      CORE_URL: 'http://core.test',
      EDGE_SECRET: 'a secret of 32 letters or more ...',
      CORS_ORIGINS,
    }).CORS_ORIGINS

  it.each([
    ['', []],
    ['*', ['*']],
    [` ${APP} ,, http://localhost:3000,`, [APP, 'http://localhost:3000']],
  ])('%j is read', (text, origins) => expect(originsOf(text)).toEqual(origins))

  it('names a value that is no origin', () => {
    expect(() => originsOf(`${APP}/path`)).toThrow(`MIEN_CORS_ORIGINS: "${APP}/path" is no origin.`)
  })

  it('may be * for any origin', async () => {
    const app = new Hono().use(crossOrigin(['*'])).get('/', context => context.text('hello'))
    const answered = await app.request('/', { headers: { origin: 'https://anywhere.test' } })
    expect(answered.headers.get('access-control-allow-origin')).toBe('*')
  })
})
