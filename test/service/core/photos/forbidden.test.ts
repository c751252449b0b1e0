/** Forbidden addresses: in any spelling, core opens no connection and gives the same refusal. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { LookupAddress } from 'node:dns'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import type { ServiceError } from '#contract/errors.ts'
import { fetcherOf } from '#test/unit/core/photos/fetcher.ts'
import { forbiddenUrls, OWN_NAMES } from './forbidden.ts'

/** A server on every address of this machine, loopback included, that counts connections. */
let canary: Server
let port = 0
let connections = 0
/** Number of sockets that this process opened. */
let sockets = 0
const count = () => sockets++

beforeAll(async () => {
  canary = createServer(socket => {
    connections++
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\na photo')
  })
  await new Promise<void>(resolve => canary.listen(0, '::', resolve))
  port = (canary.address() as AddressInfo).port
})
afterAll(() => canary.close())
beforeEach(() => {
  connections = 0
  sockets = 0
  subscribe('net.client.socket', count)
})
afterEach(() => {
  unsubscribe('net.client.socket', count)
})

/** Answers of a hostile name server. */
const ANSWERS: Record<string, string[]> = {
  'metadata.google.internal': ['169.254.169.254'],
  'one.of.two.test': ['8.8.8.8', '127.0.0.1'],
  'last.of.many.test': ['8.8.8.8', '1.1.1.1', '9.9.9.9', '2606:4700:4700::1111', '::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'zone.test': ['fe80::1%lo'],
  'six.test': ['::1'],
  'metadata-six.test': ['fd00:ec2::254'],
  'nobody.test': [],
  'words.test': ['localhost'],
  'spelt.test': ['0x7f000001'],
  'short.test': ['127.1'],
}

/** Resolves every other name to this machine, without a name server. */
const resolve = async (host: string): Promise<LookupAddress[]> =>
  (ANSWERS[host] ?? ['127.0.0.1', '::1']).map(address => ({ address, family: address.includes(':') ? 6 : 4 }))

const fetchPhoto = fetcherOf({ resolve, connectMs: 200, totalMs: 500 })

/** The URLs that are not refused as expected, with the outcome. */
async function offenders(urls: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const url of urls) {
    const before = sockets
    const outcome = await fetchPhoto(url).then(
      () => 'fetched',
      (error: ServiceError) => JSON.stringify([error.code, error.detail]),
    )
    if (outcome !== '["PHOTO_UNREACHABLE",{}]' || sockets > before) found.push(`${url}: ${outcome}`)
  }
  return found
}

it('the counters of this file count a connection and a socket', async () => {
  const trusting = fetcherOf({ trustedHosts: new Set([`127.0.0.1:${port}`]) })
  expect(Buffer.from(await trusting(`http://127.0.0.1:${port}/photo`)).toString()).toBe('a photo')
  expect({ connections, sockets }).toEqual({ connections: 1, sockets: 1 })
})

describe('a forbidden address', { tags: 'long' }, () => {
  it('is refused in more than 1,000 spellings without a connection', async () => {
    const urls = new Set(forbiddenUrls(port))
    expect(urls.size).toBeGreaterThan(1_000)
    expect(await offenders([...urls])).toEqual([])
    expect({ connections, sockets }).toEqual({ connections: 0, sockets: 0 })
  })

  it.each(Object.keys(ANSWERS))('is refused behind the name %s', async name => {
    expect(await offenders([`http://${name}:${port}/photo`, `https://${name}.:${port}/photo`])).toEqual([])
    expect({ connections, sockets }).toEqual({ connections: 0, sockets: 0 })
  })

  it('is refused when it is a public address of this machine', async () => {
    const asking = fetcherOf({ connectMs: 50, isOwn: address => address === '25.25.25.25' })
    await expect(asking(`http://25.25.25.25:${port}/photo`)).toBeRefused('PHOTO_UNREACHABLE')
    expect(sockets).toBe(0)
    await expect(asking(`http://25.25.25.26:${port}/photo`)).toBeRefused('PHOTO_UNREACHABLE')
    expect(sockets).toBe(1)
  })

  it('is refused behind names of this machine that its own resolver knows', async () => {
    const asking = fetcherOf({ connectMs: 200 })
    for (const name of OWN_NAMES.slice(0, 4))
      await expect(asking(`http://${name}:${port}/photo`)).toBeRefused('PHOTO_UNREACHABLE')
    expect(connections).toBe(0)
  })
})
