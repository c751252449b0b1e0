/** Hostile photo servers: their cost in bytes and time is bounded. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { isOwnAddress } from '#core/network/addresses.ts'
import { fetcherOf } from './fetcher.ts'

const MEGABYTE = 'x'.repeat(2 ** 20)
const OK = 'HTTP/1.1 200 OK\r\n'
const GZIP = gzipSync(Buffer.alloc(50 * 2 ** 20))

/** Writes a text repeatedly until the other side closes the connection. */
async function forever(socket: Socket, text: string, pauseMs = 0): Promise<void> {
  while (!socket.destroyed) {
    if (!socket.write(text))
      await new Promise(resolve => socket.once('drain', resolve).once('close', resolve))
    await sleep(pauseMs)
  }
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** Raw answer of each path. */
const ANSWERS: Record<string, (socket: Socket) => void> = {
  '/gzip': socket => {
    socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${GZIP.length}\r\n\r\n`)
    socket.write(GZIP)
  },
  '/chunks-without-end': socket => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
    void forever(socket, chunk(MEGABYTE))
  },
  '/length-of-nothing': socket => {
    socket.write(`${OK}\r\n`)
    void forever(socket, MEGABYTE)
  },
  '/slow-body-without-length': socket => {
    socket.write(`${OK}\r\n`)
    void forever(socket, 'x', 20)
  },
  '/length-too-large': socket => void socket.write(`${OK}content-length: 99999999999\r\n\r\n`),
  '/headers-without-end': socket => {
    socket.write(OK)
    void forever(socket, `x-more: ${'x'.repeat(1_000)}\r\n`)
  },
  '/slow-headers': socket => {
    socket.write(OK)
    void forever(socket, 'a: b\r\n', 20)
  },
  '/early-hints-without-end': socket => void forever(socket, 'HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n', 1),
  '/trailers-without-end': socket => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n${chunk('x')}0\r\n`)
    void forever(socket, `x-more: ${'x'.repeat(1_000)}\r\n`)
  },
  '/chunk-that-is-described-without-end': socket => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1;`)
    void forever(socket, 'x'.repeat(10_000))
  },
  '/two-lengths': socket => void socket.end(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
  '/status-without-end': socket => void forever(socket, 'HTTP/1.1 200 '.padEnd(1_000, 'x')),
}

let server: Server
let origin = ''
let connections = 0
let requests: string[] = []

beforeAll(async () => {
  server = createServer(socket => {
    connections++
    socket.on('error', () => {})
    socket.once('data', data => {
      requests.push(String(data))
      const [, path = ''] = /^GET (\S+)/.exec(String(data)) ?? []
      const [, status] = /^\/redirect\/(\d+)$/.exec(path) ?? []
      if (status) socket.end(`HTTP/1.1 ${status} Moved\r\nlocation: /gzip\r\ncontent-length: 0\r\n\r\n`)
      else ANSWERS[path]?.(socket)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  connections = 0
  requests = []
})

const fetching = (path: string) =>
  fetcherOf({ trustedHosts: new Set([origin.slice('http://'.length)]), totalMs: 1_500 })(origin + path)

describe('photoFetcher with a hostile server', () => {
  it.each(['/chunks-without-end', '/length-of-nothing', '/length-too-large'])(
    'reports PHOTO_TOO_LARGE beyond PHOTO_LIMITS.bytes: %s',
    path => expect(fetching(path)).rejects.toMatchObject({ code: 'PHOTO_TOO_LARGE' }),
  )

  it.each(
    [
      ['/headers-without-end', '/slow-headers', '/early-hints-without-end'],
      ['/trailers-without-end', '/chunk-that-is-described-without-end', '/two-lengths'],
      ['/status-without-end', '/slow-body-without-length'],
    ].flat(),
  )('reports PHOTO_UNREACHABLE without details: %s', { tags: 'long' }, async path => {
    await expect(fetching(path)).rejects.toMatchObject({ code: 'PHOTO_UNREACHABLE', detail: {} })
    expect(connections).toBe(1)
  })

  it.each([302, 307, 308])('does not follow a redirect with status %d', async status => {
    await expect(fetching(`/redirect/${status}`)).rejects.toMatchObject({ code: 'PHOTO_UNREACHABLE' })
    expect(requests).toHaveLength(1)
  })

  it('requests no compression, and does not decompress an answer', async () => {
    expect(Buffer.from(await fetching('/gzip')).equals(GZIP)).toBe(true)
    expect(requests[0]?.toLowerCase()).toContain('accept-encoding: identity\r\n')
  })

  it('refuses a fetch with SERVICE_UNAVAILABLE while PHOTO_LIMITS.fetches run', async () => {
    const fetchPhoto = fetcherOf({
      trustedHosts: new Set([origin.slice('http://'.length)]),
      totalMs: 300,
    })
    const slow = Array.from({ length: PHOTO_LIMITS.fetches }, () => fetchPhoto(`${origin}/slow-headers`))
    const outcomes = Promise.allSettled(slow)
    await expect(fetchPhoto(`${origin}/gzip`)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await outcomes
    expect(await fetchPhoto(`${origin}/gzip`)).toHaveLength(GZIP.length)
  })
})

describe('isOwnAddress', () => {
  const eth0 = { netmask: '', mac: '', internal: false, cidr: null }
  const interfaces = {
    eth0: [
      { ...eth0, family: 'IPv4', address: '8.8.4.4' } as const,
      { ...eth0, family: 'IPv6', address: '2a00:1450::9', scopeid: 0 } as const,
    ],
  }

  it.each(['8.8.4.4', '2a00:1450::9', '2A00:1450:0:0::9'])(
    'is true for a public address of an interface: %s',
    address => expect(isOwnAddress(address, interfaces)).toBe(true),
  )

  it('reads the interfaces of this machine by default', () => expect(isOwnAddress('127.0.0.1')).toBe(true))
})
