/** Photos by URL: from permitted addresses only. A hostile server costs bounded bytes and time. */

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { times } from '#test/support/times.ts'
import { fetcherOf } from './fetcher.ts'

const MEGABYTE = 'x'.repeat(2 ** 20)
const OK = 'HTTP/1.1 200 OK\r\n'
const GZIP = gzipSync(Buffer.alloc(50 * 2 ** 20))

/** Writes a text repeatedly until the other side closes the connection. */
async function forever(socket: Socket, text: string, pauseMs = 0) {
  while (!socket.destroyed) {
    if (!socket.write(text))
      await new Promise(resolve => socket.once('drain', resolve).once('close', resolve))
    await sleep(pauseMs)
  }
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** Sends a whole response. */
const sends =
  (bytes: string | Buffer, head = OK) =>
  (socket: Socket) => {
    socket.write(`${head}content-length: ${bytes.length}\r\n\r\n`)
    socket.write(bytes)
  }

const moved = (status: number) => sends('', `HTTP/1.1 ${status} Moved\r\nlocation: /photo\r\n`)

/** Sends a head, then a text again and again. */
const endless =
  (head: string, text: string, pauseMs = 0) =>
  (socket: Socket) => {
    socket.write(head)
    void forever(socket, text, pauseMs)
  }

/** Raw answer of each path. */
const ANSWERS: Record<string, (socket: Socket, request: string) => void> = {
  '/photo': sends('a photo'),
  '/host': (socket, request) => sends(/^host: (.*)\r$/im.exec(request)![1]!)(socket),
  '/gzip': sends(GZIP, `${OK}content-encoding: gzip\r\n`),
  '/exact': sends(Buffer.alloc(PHOTO_LIMITS.bytes)),
  '/large': sends(Buffer.alloc(PHOTO_LIMITS.bytes + 1)),
  '/length-too-large': socket => void socket.write(`${OK}content-length: 99999999999\r\n\r\n`),
  '/chunks-without-end': endless(`${OK}transfer-encoding: chunked\r\n\r\n`, chunk(MEGABYTE)),
  '/length-of-nothing': endless(`${OK}\r\n`, MEGABYTE),
  '/silent': () => {},
  '/cut': socket => void socket.end(`${OK}content-length: 100\r\n\r\nhalf`),
  '/302': moved(302),
  '/307': moved(307),
  '/308': moved(308),
  '/missing': sends('a photo', 'HTTP/1.1 404 Not Found\r\n'),
  '/partial': sends('a photo', 'HTTP/1.1 206 Partial Content\r\n'),
  '/slow-body-without-length': endless(`${OK}\r\n`, 'x', 20),
  '/headers-without-end': endless(OK, `x-more: ${'x'.repeat(1_000)}\r\n`),
  '/slow-headers': endless(OK, 'a: b\r\n', 20),
  '/early-hints-without-end': endless('', 'HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n', 1),
  '/trailers-without-end': endless(
    `${OK}transfer-encoding: chunked\r\n\r\n${chunk('x')}0\r\n`,
    `x-more: ${'x'.repeat(1_000)}\r\n`,
  ),
  '/chunk-that-is-described-without-end': endless(
    `${OK}transfer-encoding: chunked\r\n\r\n1;`,
    'x'.repeat(10_000),
  ),
  '/two-lengths': socket => void socket.end(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
  '/status-without-end': endless('', 'HTTP/1.1 200 '.padEnd(1_000, 'x')),
}

/** A server on all loopback addresses that counts connections. */
let server: Server
let port = 0
let connections = 0
let requests: string[] = []

beforeAll(async () => {
  server = createServer(socket => {
    connections++
    socket.on('error', () => {})
    socket.once('data', data => {
      requests.push(String(data))
      ANSWERS[/^GET (\S+)/.exec(String(data))?.[1] ?? '']?.(socket, String(data))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '::', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())
beforeEach(() => {
  connections = 0
  requests = []
})

const UNREACHABLE = { code: 'PHOTO_UNREACHABLE', detail: {} }

const trusting = (options = {}) =>
  fetcherOf({ trustedHosts: new Set([`127.0.0.1:${port}`, `localhost:${port}`]), ...options })

const fetching = (path: string, totalMs = 1_500) => trusting({ totalMs })(`http://127.0.0.1:${port}${path}`)

describe('photoFetcher with a trusted host', () => {
  it.each(['127.0.0.1', 'localhost'])('fetches a photo from %s', async host => {
    expect(Buffer.from(await trusting()(`http://${host}:${port}/photo`)).toString()).toBe('a photo')
  })

  it('accepts PHOTO_LIMITS.bytes', async () => {
    expect(await fetching('/exact', PHOTO_LIMITS.fetchMs)).toHaveLength(PHOTO_LIMITS.bytes)
  })

  it.each(['/large', '/chunks-without-end', '/length-of-nothing', '/length-too-large'])(
    'reports PHOTO_TOO_LARGE beyond PHOTO_LIMITS.bytes: %s',
    path => expect(fetching(path)).toBeRefused('PHOTO_TOO_LARGE'),
  )

  it.each(['/cut', '/302', '/307', '/308', '/missing', '/partial'])(
    'reports PHOTO_UNREACHABLE without a retry or a redirect: %s',
    async path => {
      await expect(fetching(path)).rejects.toMatchObject(UNREACHABLE)
      expect(requests).toHaveLength(1)
    },
  )

  it.each(
    [
      ['/silent', '/headers-without-end', '/slow-headers', '/early-hints-without-end'],
      ['/trailers-without-end', '/chunk-that-is-described-without-end', '/two-lengths'],
      ['/status-without-end', '/slow-body-without-length'],
    ].flat(),
  )('reports PHOTO_UNREACHABLE without details: %s', { tags: 'long' }, async path => {
    await expect(fetching(path, 500)).rejects.toMatchObject(UNREACHABLE)
    expect(connections).toBe(1)
  })

  it('requests no compression, and does not decompress an answer', async () => {
    expect(Buffer.from(await fetching('/gzip')).equals(GZIP)).toBe(true)
    expect(requests[0]?.toLowerCase()).toContain('accept-encoding: identity\r\n')
  })

  it('refuses a fetch with SERVICE_UNAVAILABLE while PHOTO_LIMITS.fetches run', async () => {
    const fetchPhoto = trusting({ totalMs: 300 })
    const at = (path: string) => fetchPhoto(`http://127.0.0.1:${port}${path}`)
    const slow = Promise.allSettled(times(PHOTO_LIMITS.fetches, () => at('/slow-headers')))
    await expect(at('/photo')).toBeRefused('SERVICE_UNAVAILABLE')
    await slow
    expect(await at('/photo')).toHaveLength(7)
  })

  it.each(['name@', 'name:word@'])('refuses a URL with credentials: %s', async credentials => {
    const url = `http://${credentials}127.0.0.1:${port}/photo`
    await expect(trusting()(url)).rejects.toMatchObject(UNREACHABLE)
    expect(connections).toBe(0)
  })

  it('trusts the host on its configured port only', async () => {
    const fetchPhoto = fetcherOf({ trustedHosts: new Set(['127.0.0.1:1']) })
    await expect(fetchPhoto(`http://127.0.0.1:${port}/photo`)).rejects.toMatchObject(UNREACHABLE)
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
    const trustedHosts = new Set([`rebind.test:${port}`])
    const fetchPhoto = fetcherOf({ resolve, trustedHosts, connectMs: 200 })
    await expect(fetchPhoto(`http://rebind.test:${port}/photo`)).rejects.toMatchObject(UNREACHABLE)
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
