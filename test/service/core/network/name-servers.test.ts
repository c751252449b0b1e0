/** Name resolution: exact names, only the name servers of the system, and bounds. */

import { createHook } from 'node:async_hooks'
import { lookup } from 'node:dns/promises'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { nameServers } from '#core/network/name-servers.ts'
import { photoFetcher } from '#core/photos/fetch.ts'
import { OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { type Manner, nameServer } from '#test/unit/core/network/name-server.ts'
import { fetcherOf } from '#test/unit/core/photos/fetcher.ts'

const MANY = times(3_000, i => `25.25.${i >> 8}.${i & 255}`)

const MANNERS: Record<string, Manner> = {
  'fine.example.com': ['25.25.25.25', '25.25.25.26'],
  'inside.example.com': ['10.0.0.1'],
  'one-of-two.example.com': ['25.25.25.25', '127.0.0.1'],
  'silent.example.com': 'silent',
  'servfail.example.com': 'servfail',
  'refused.example.com': 'refused',
  'loop.example.com': 'loop',
  'cut.example.com': 'cut',
  'empty.example.com': [],
  'many.example.com': MANY,
  'some.example.com': MANY.slice(0, 40),
}

const never = new AbortController().signal

const UNREACHABLE = { code: 'PHOTO_UNREACHABLE', detail: {} }

describe('resolution of a host name', { tags: 'long' }, () => {
  it('returns all addresses of the name', async () => {
    const { servers } = await nameServer(MANNERS)
    const resolve = nameServers(servers)
    expect(await resolve('fine.example.com', never)).toEqual([
      { address: '25.25.25.25', family: 4 },
      { address: '25.25.25.26', family: 4 },
    ])
    // The answer is truncated over UDP and whole over TCP.
    expect(await resolve('some.example.com', never)).toHaveLength(40)
  })

  it('asks for the exact name without search domains', async () => {
    const { servers, asked } = await nameServer(MANNERS)
    const resolve = nameServers(servers)
    process.env.LOCALDOMAIN = 'corp.example.com'
    process.env.RES_OPTIONS = 'ndots:5'
    onTestFinished(() => {
      delete process.env.LOCALDOMAIN
      delete process.env.RES_OPTIONS
    })
    await expect(resolve('gone.example.com', never)).rejects.toThrow()
    expect(new Set(asked)).toEqual(new Set(['gone.example.com']))
  })

  it.each(['localhost', 'LOCALHOST', 'a.localhost', 'printer.local', 'x.invalid', 'x.onion', 'intranet', ''])(
    'sends no question for a name outside the public DNS: "%s"',
    async host => {
      const { servers, asked } = await nameServer(MANNERS)
      expect(await nameServers(servers)(host, never)).toEqual([])
      expect(asked).toEqual([])
    },
  )

  it.each(
    [
      ['inside', 'one-of-two', 'silent', 'servfail', 'refused', 'loop', 'cut', 'empty', 'many', 'gone'],
      ['a..b', '-', '_._'],
    ].flat(),
  )('gives one refusal for every fault of a name: %s', async name => {
    const { servers } = await nameServer(MANNERS)
    const fetchPhoto = fetcherOf({ resolve: nameServers(servers) })
    await expect(fetchPhoto(`http://${name}.example.com/`)).rejects.toMatchObject(UNREACHABLE)
  })
})

it('a thousand names without an answer leave fetches to other owners, and the resolver of the system free', {
  tags: 'long',
}, async () => {
  const silent = Object.fromEntries(times(1_000, i => [`n${i}.example.com`, 'silent' as const]))
  const { servers } = await nameServer({ ...MANNERS, ...silent })
  let systemLookups = 0
  const hook = createHook({
    init: (_, type) => {
      if (type === 'GETADDRINFOREQWRAP') systemLookups++
    },
  }).enable()
  onTestFinished(() => {
    hook.disable()
  })
  const fetchPhoto = photoFetcher({ resolve: nameServers(servers), totalMs: 2_000 })
  const outcomes = Object.keys(silent).map(host =>
    fetchPhoto(`http://${host}/`, OWNER).then(
      () => 'fetched',
      error => error.code as string,
    ),
  )
  await expect(fetchPhoto('http://inside.example.com/', OTHER_OWNER)).rejects.toMatchObject(UNREACHABLE)
  expect(systemLookups).toBe(0)
  expect(await lookup('localhost')).toBeDefined()
  expect(systemLookups).toBe(1)
  const counts = Map.groupBy(await Promise.all(outcomes), code => code)
  expect(counts.get('PHOTO_UNREACHABLE')).toHaveLength(PHOTO_LIMITS.fetches / 2)
  expect(counts.get('SERVICE_UNAVAILABLE')).toHaveLength(1_000 - PHOTO_LIMITS.fetches / 2)
})
