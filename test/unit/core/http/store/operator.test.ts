/** Access to the store interface: on loopback, behind proxies, from web pages, and from other hosts. */
import { request } from 'node:http'
import { Hono } from 'hono'
import { operatorOnly } from '#core/http/store/operator.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { serveStore } from '../served.ts'

const TOKEN = 'the-token-of-the-operators-of-this-store'
const vectors = { galleries: async () => [], gallery: async () => undefined } as unknown as VectorStore

const doors = {
  'loopback without a token': await serveStore(vectors),
  'loopback with a token': await serveStore(vectors, { host: 'localhost', operatorToken: TOKEN }),
  elsewhere: await serveStore(vectors, { host: '0.0.0.0', operatorToken: TOKEN }),
}
type Door = keyof typeof doors
afterAll(() => Promise.all(Object.values(doors).map(door => door.close())))

/** The status of a request with exactly these headers. fetch would refuse some of them. */
function ask(door: Door, headers: Record<string, string>, path = '/stat/list/1/1'): Promise<number> {
  const { origin } = doors[door]
  return new Promise((resolve, reject) => {
    request(origin + path, { headers, agent: false }, response => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
      .on('error', reject)
      .end()
  })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe.each<{ door: Door; stranger: number; token: number }>([
  { door: 'loopback without a token', stranger: 200, token: 401 },
  { door: 'loopback with a token', stranger: 200, token: 200 },
  { door: 'elsewhere', stranger: 401, token: 200 },
])('operatorOnly on $door', ({ door, stranger, token }) => {
  it('accepts a valid token, and on loopback a request without one', async () => {
    expect(await ask(door, {})).toBe(stranger)
    expect(await ask(door, bearer(TOKEN))).toBe(token)
    expect(await ask(door, { authorization: `Token ${TOKEN}` })).toBe(token)
    expect(
      await ask(door, { ...bearer(TOKEN), host: 'core.example.com', 'x-forwarded-for': '1.2.3.4' }),
    ).toBe(token)
  })

  it.each([
    bearer(`${TOKEN}x`),
    bearer(TOKEN.toUpperCase()),
    { authorization: TOKEN },
    { authorization: `Basic ${TOKEN}` },
  ])('refuses the authorization "$authorization"', async headers => {
    expect(await ask(door, headers)).toBe(401)
  })

  it('checks each path of the store and of the metrics, and none of the health checks', async () => {
    for (const path of ['/v1/a/get/1', '/v1/a/list/0/1', '/stat/info/a', '/v1/', '/metrics']) {
      expect(await ask(door, bearer('wrong'), path)).toBe(401)
    }
    for (const path of ['/healthz', '/readyz']) expect(await ask(door, bearer('wrong'), path)).toBe(200)
  })
})

describe.each<Door>(['loopback without a token', 'loopback with a token'])(
  'operatorOnly on %s, without Authorization',
  door => {
    it.each([['localhost'], ['127.0.0.1'], ['[::1]:8788']])('accepts the host %s', async host => {
      expect(await ask(door, { host })).toBe(200)
    })

    it.each<Record<string, string>>([
      { host: 'evil.example.com' },
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
    ])('refuses %o', async headers => {
      expect(await ask(door, headers)).toBe(403)
    })

    it('accepts a page that a person opened in a browser', async () => {
      expect(await ask(door, { 'sec-fetch-site': 'none' })).toBe(200)
    })
  },
)

it.each([undefined, '::ffff:10.0.0.1', 'fe80::1'])(
  'operatorOnly refuses a caller from %s without a token',
  async remoteAddress => {
    const app = new Hono()
      .use(operatorOnly({ host: '127.0.0.1', operatorToken: undefined }))
      .get('/', context => context.text(''))
      .onError(() => new Response('', { status: 403 }))
    const status = async (remoteAddress?: string) => {
      const answer = await app.request(
        '/',
        { headers: { host: 'localhost' } },
        { incoming: { socket: { remoteAddress } } },
      )
      return answer.status
    }
    expect(await status('::ffff:127.0.0.1')).toBe(200)
    expect(await status(remoteAddress)).toBe(403)
  },
)
