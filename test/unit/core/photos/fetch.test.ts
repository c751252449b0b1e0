/** Photos by URL: from public addresses only, with limits of size and time. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { fetcherOf } from './fetcher.ts'

/** A server on all loopback addresses that counts connections and answers by path. */
let server: Server
let port = 0
let connections = 0

const answers: Record<string, RequestListener> = {
  '/photo': (_, response) => response.end('a photo'),
  '/host': (request, response) => response.end(request.headers.host),
  '/exact': (_, response) => response.end(Buffer.alloc(PHOTO_LIMITS.bytes)),
  '/large': (_, response) => response.end(Buffer.alloc(PHOTO_LIMITS.bytes + 1)),
  '/silent': () => {},
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half', () => response.destroy())
  },
  '/redirect': (_, response) => {
    response.writeHead(302, { location: '/photo' }).end()
  },
  '/missing': (_, response) => {
    response.writeHead(404).end('a photo')
  },
  '/partial': (_, response) => {
    response.writeHead(206).end('a photo')
  },
}

beforeAll(async () => {
  server = createServer((request, response) => answers[request.url ?? '']?.(request, response))
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '::', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())
beforeEach(() => {
  connections = 0
})

const trusting = (options = {}) =>
  fetcherOf({ trustedHosts: new Set([`127.0.0.1:${port}`, `localhost:${port}`]), ...options })

describe('photoFetcher with a trusted host', () => {
  it.each(['127.0.0.1', 'localhost'])('fetches a photo from %s', async host => {
    expect(Buffer.from(await trusting()(`http://${host}:${port}/photo`)).toString()).toBe('a photo')
  })

  it('accepts PHOTO_LIMITS.bytes, and refuses one byte more', async () => {
    expect(await trusting()(`http://127.0.0.1:${port}/exact`)).toHaveLength(PHOTO_LIMITS.bytes)
    await expect(trusting()(`http://127.0.0.1:${port}/large`)).rejects.toMatchObject({
      code: 'PHOTO_TOO_LARGE',
    })
  })

  it.each(['/silent', '/cut', '/redirect', '/missing', '/partial'])(
    'reports PHOTO_UNREACHABLE without a retry: %s',
    async path => {
      const fetchPhoto = trusting({ totalMs: 300 })
      await expect(fetchPhoto(`http://127.0.0.1:${port}${path}`)).rejects.toMatchObject({
        code: 'PHOTO_UNREACHABLE',
        detail: {},
      })
      expect(connections).toBe(1)
    },
  )

  it.each(['name@', 'name:word@'])('refuses a URL with credentials: %s', async credentials => {
    const url = `http://${credentials}127.0.0.1:${port}/photo`
    await expect(trusting()(url)).rejects.toMatchObject({ code: 'PHOTO_UNREACHABLE' })
    expect(connections).toBe(0)
  })

  it('trusts the host on its configured port only', async () => {
    const fetchPhoto = fetcherOf({ trustedHosts: new Set(['127.0.0.1:1']) })
    await expect(fetchPhoto(`http://127.0.0.1:${port}/photo`)).rejects.toMatchObject({
      code: 'PHOTO_UNREACHABLE',
    })
    expect(connections).toBe(0)
  })
})

describe('photoFetcher with a name', () => {
  it('resolves it once, and connects to the checked address', async () => {
    const asked: string[] = []
    // A rebinding name: public when it is checked, loopback when it is resolved again.
    const resolve = async (host: string) => {
      asked.push(host)
      return [{ address: asked.length === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }]
    }
    const fetchPhoto = fetcherOf({
      resolve,
      trustedHosts: new Set([`rebind.test:${port}`]),
      connectMs: 200,
    })
    await expect(fetchPhoto(`http://rebind.test:${port}/photo`)).rejects.toMatchObject({
      code: 'PHOTO_UNREACHABLE',
    })
    expect(asked).toEqual(['rebind.test'])
    expect(connections).toBe(0)
  })

  it('connects to the resolved address, and sends the name as Host', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const fetchPhoto = fetcherOf({ resolve, trustedHosts: new Set([`photos.test:${port}`]) })
    expect(Buffer.from(await fetchPhoto(`http://photos.test:${port}/host`)).toString()).toBe(
      `photos.test:${port}`,
    )
  })
})
