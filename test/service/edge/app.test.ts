/** Paths and methods of the API, and answers to all others. */
import * as fc from 'fast-check'
import { inject } from 'vitest'
import { OPERATIONS } from '#contract/operations/table.ts'
import { form } from '#test/support/client.ts'
import { photos } from '../../contract/requests.ts'
import { api, freshApi } from './shared.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'QUERY']

/** Each path of the operations table with its methods. */
const paths = new Map<string, string[]>()
for (const { method, path, aliases = [] } of OPERATIONS)
  for (const one of [path, ...aliases])
    paths.set(one, [...(paths.get(one) ?? []), method.toUpperCase(), ...(method === 'get' ? ['HEAD'] : [])])

const send = async (method: string, path: string, authorization?: string) => {
  const response = await fetch(inject('edge') + path, {
    method,
    headers: authorization === undefined ? {} : { authorization },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text }
}

const TOKEN = `Token ${inject('token')}`

describe('a path of the API', () => {
  it.each([...paths])('%s has the methods %j, and answers 405 with them to others', async (path, methods) => {
    for (const method of METHODS.filter(one => !methods.includes(one))) {
      const prefix = fc.sample(fc.constantFrom('/v0', '/v1', ''), 1)[0]
      const { status, headers, text } = await send(method, `${prefix}${path.replace(/:\w+/g, '7')}/`, TOKEN)
      expect(status, `${method} ${path}`).toBe(405)
      expect(headers.get('allow')?.split(', ').sort()).toEqual([...methods].sort())
      if (method !== 'HEAD')
        expect(JSON.parse(text)).toEqual({
          code: 'METHOD_NOT_ALLOWED',
          reason: expect.any(String),
          request_id: headers.get('x-request-id'),
        })
    }
  })

  it.each([
    ['/healthz', 'POST'],
    ['/docs', 'DELETE'],
    ['/v1/docs/v0', 'POST'],
    ['/docs/v1/overview.html', 'PUT'],
    ['/pictures/1/2/thumbnail.jpg', 'DELETE'],
  ])('%s, which needs no token, answers 405 to %s without one', async (path, method) => {
    const { status, headers } = await send(method, path)
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' })
  })

  it('answers HEAD with the headers of GET', async () => {
    for (const path of ['/v0/faces', '/v1/persons/', '/history/search', '/healthz', '/docs/v1', '/v0/meta']) {
      const { status, headers, text } = await send('HEAD', path, TOKEN)
      expect({ status, text }, path).toEqual({ status: 200, text: '' })
      expect(headers.get('content-type'), path).toBe('application/json; charset=utf-8')
    }
    await expect(send('HEAD', '/v0/face/id/1', TOKEN)).toAnswer(404)
    await expect(send('HEAD', '/v0/faces')).toAnswer(401)
  })
})

it.each([
  ['GET', '/v0/faces'],
  ['PATCH', '/v0/faces'],
  ['GET', '/v1/nowhere'],
])(
  'a request without a token %s %s answers 401 for known and unknown paths and methods',
  async (method, path) => {
    const { status, headers, text } = await send(method, path)
    expect(status).toBe(401)
    expect(headers.get('allow')).toBeNull()
    expect(headers.get('www-authenticate')).toBe('Token realm="mien", Bearer realm="mien"')
    expect(JSON.parse(text)).toMatchObject({
      code: 'AUTH_FAILED',
      reason: expect.stringMatching(/^The token is missing\. /),
    })
  },
)

describe('an unknown path', () => {
  it.each(['/v0/nowhere', '/v2/faces', '/v0/face/id', '/v1/faces/5', '/v0//faces', '/'])(
    'answers NOT_FOUND with a token: %s',
    async path => expect((await api('GET', path)).body).toMatchObject({ code: 'NOT_FOUND' }),
  )

  it.each([
    ['/v0/detekt/', '/v0/detect'],
    ['/V0/Detect', '/v0/detect'],
    ['/v1/face/ids/7', '/v1/face/id/{id}'],
    ['/faces/galery/staff/identify', '/faces/gallery/{gallery}/identify'],
    ['/v3/faces', '/v0/faces'],
    ['//api/v0/detect', '/v0/detect'],
  ])('%s is answered with the nearest path %s', async (path, nearest) => {
    const { reason } = (await api('POST', path)).body
    expect(reason).toBe(`Not found: no operation has this path. Did you mean ${nearest}?`)
  })

  it('is not compared with known paths when it is unlike them, or long', async () => {
    for (const path of ['/v0/nowhere', `/v0/detekt${'/x'.repeat(100)}`])
      expect((await api('GET', path)).body.reason).toBe('Not found.')
  })
})

it('a picture without a valid signature has the body and the request id of other refusals', async () => {
  const { status, headers, text } = await send('GET', '/pictures/1/2/thumbnail.jpg?expires=1&signature=x')
  expect(status).toBe(404)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(JSON.parse(text)).toMatchObject({
    code: 'NOT_FOUND',
    request_id: headers.get('x-request-id'),
  })
})

describe('a path with several slashes at its beginning', { tags: 'long' }, () => {
  it('is the path with one, in its links, too', async () => {
    const owner = freshApi()
    const [photo] = await photos()
    for (const meta of ['a', 'b']) await owner('POST', '//v0/face', form({ photo, meta }))
    const { status, body } = await owner('GET', '///faces?limit=1')
    expect(status).toBe(200)
    expect(body.next_page).toMatch(/^\/faces\?/)
    expect((await owner('GET', body.next_page)).body.results).toMatchObject([{ meta: 'a' }])
  })

  it('needs a token', async () => expect((await send('GET', '//v0/faces')).status).toBe(401))
})
