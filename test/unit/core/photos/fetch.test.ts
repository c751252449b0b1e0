/** Photos by URL: from public addresses only, with limits of size and time. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '#contract/limits.ts'
import { fetcherOf } from './fetcher.ts'

/** A server on all loopback addresses that counts connections and answers by path. */
let server: Server
let port = 0
let connections = 0

const megabyte = Buffer.alloc(2 ** 20, 1)

const answers: Record<string, RequestListener> = {
  '/photo': (_, response) => response.end('a photo'),
  '/host': (request, response) => response.end(request.headers.host),
  '/exact': (_, response) => response.end(Buffer.alloc(LIMITS.photoBytes)),
  '/large': (_, response) => response.end(Buffer.alloc(LIMITS.photoBytes + 1)),
  '/endless': (_, response) => {
    const more = () => {
      while (response.write(megabyte));
    }
    response.on('drain', more)
    more()
  },
  '/slow': (_, response) => {
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  },
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

  it('accepts LIMITS.photoBytes, and refuses one byte more', async () => {
    expect(await trusting()(`http://127.0.0.1:${port}/exact`)).toHaveLength(LIMITS.photoBytes)
    await expect(trusting()(`http://127.0.0.1:${port}/large`)).rejects.toMatchObject({
      code: 'PHOTO_TOO_LARGE',
    })
    await expect(trusting()(`http://127.0.0.1:${port}/endless`)).rejects.toMatchObject({
      code: 'PHOTO_TOO_LARGE',
    })
  })

  it.each(['/slow', '/silent', '/cut', '/redirect', '/missing', '/partial'])(
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

  it.each(['name@', 'name:word@', ':word@', '%00@'])(
    'refuses a URL with credentials: %s',
    async credentials => {
      const url = `http://${credentials}127.0.0.1:${port}/photo`
      await expect(trusting()(url)).rejects.toMatchObject({ code: 'PHOTO_UNREACHABLE' })
      expect(connections).toBe(0)
    },
  )

  it('trusts the host on its configured port only', async () => {
    const fetchPhoto = fetcherOf({ trustedHosts: new Set(['127.0.0.1:1']) })
    await expect(fetchPhoto(`http://127.0.0.1:${port}/photo`)).rejects.toMatchObject({
      code: 'PHOTO_UNREACHABLE',
    })
    expect(connections).toBe(0)
  })
})

describe('photoFetcher without trusted hosts', () => {
  const INNER_HOSTS = [
    ['localhost', 'localhost.', 'LOCALHOST', 'sub.localhost', '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1'],
    [
      '127.255.255.254',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '0x7f.0x0.0x0.0x1',
    ],
    ['0', '0.0.0.0', '00.0.0.0', '0x0', '%31%32%37.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '１２７.0.0.1'],
    [
      '10.0.0.1',
      '10.255.255.255',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '192.168.1.1',
      '3232235777',
    ],
    ['100.64.0.1', '100.127.255.255', '169.254.169.254', '169.254.0.1', '2852039166', '0xa9fea9fe'],
    [
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
    ],
    ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
    ['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
    ['[::ffff:8.8.8.8]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::a00:1]'],
    ['[2002:7f00:1::]', '[2002:a00:1::1]', '[2001::1]', '[2001:0:7f00:1::]', '[fc00::1]', '[fd00:ec2::254]'],
    [
      '[fe80::1]',
      '[febf::1]',
      '[fec0::1]',
      '[ff02::1]',
      '[ff0e::1]',
      '[100::1]',
      '[2001:db8::1]',
      '[3fff::1]',
    ],
    ['[5f00::1]', '[4000::1]', '[e000::1]', '[2001:2::1]', '[2001:10::1]'],
  ].flat()

  it.each(INNER_HOSTS)('opens no connection to %s', async host => {
    await expect(fetcherOf({ connectMs: 200 })(`http://${host}:${port}/photo`)).rejects.toMatchObject({
      code: 'PHOTO_UNREACHABLE',
    })
    expect(connections).toBe(0)
  })

  it.each([
    'ftp://example.com/a',
    'file:///etc/passwd',
    'data:image/png;base64,AA==',
    'gopher://example.com',
    'http://name@8.8.8.8/',
    'http://name:word@8.8.8.8/',
    '//example.com/a.jpg',
    'example.com/a.jpg',
    'http://',
    '',
  ])('refuses "%s" without resolving its name', async url => {
    let asked = 0
    const resolve = async () => {
      asked++
      return [{ address: '127.0.0.1', family: 4 }]
    }
    await expect(fetcherOf({ resolve })(url)).rejects.toMatchObject({ code: 'PHOTO_UNREACHABLE' })
    expect(asked).toBe(0)
  })
})

describe('photoFetcher with a name', () => {
  it('refuses it when any of its addresses is not public', async () => {
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    await expect(fetcherOf({ resolve })(`http://example.com:${port}/photo`)).rejects.toMatchObject({
      code: 'PHOTO_UNREACHABLE',
    })
    expect(connections).toBe(0)
  })

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

  it('gives up when it never resolves', async () => {
    const fetchPhoto = fetcherOf({ resolve: () => new Promise(() => {}), totalMs: 50 })
    await expect(fetchPhoto('http://example.com/')).rejects.toMatchObject({ code: 'PHOTO_UNREACHABLE' })
  })
})
