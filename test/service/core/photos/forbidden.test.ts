/** Forbidden addresses: in any spelling, core opens no connection and gives the same refusal. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { LookupAddress } from 'node:dns'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { ServiceError } from '#contract/errors.ts'
import { fetcherOf } from '#test/unit/core/photos/fetcher.ts'

/** Addresses of this machine; private, metadata and reserved addresses. */
const LOOPBACK = ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '0.0.0.0'] as const

const INNER = [
  ['10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.254', '172.16.0.1', '172.31.255.255'],
  ['192.168.0.1', '192.168.255.255', '169.254.0.1', '0.1.2.3', '192.0.0.1'],
  ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ['192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
  ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
].flat()

const bytesOf = (address: string) => address.split('.').map(Number)

const numberOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0)

const wide = (text: string) => text.replace(/[0-9]/g, digit => String.fromCodePoint(0xff10 + Number(digit)))

const superscript = (text: string) => text.replace(/[0-9]/g, digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]!)

const encoded = (text: string) => text.replace(/./g, letter => `%${letter.charCodeAt(0).toString(16)}`)

/** Spellings that WHATWG URL parses as this IPv4 address. */
function spellings4(address: string) {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address)
  const whole = numberOf(address)
  const hex = (byte: number) => `0x${byte.toString(16)}`
  const octal = (byte: number) => `0${byte.toString(8)}`
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    hex(whole).toUpperCase(),
    octal(whole),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map(byte => `000${byte.toString(8)}`).join('.'),
    [hex(a), octal(b), c, hex(d)].join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${whole - a * 2 ** 24}`,
    `${hex(a)}.${octal(whole - a * 2 ** 24)}`,
    encoded(address),
    address.replaceAll('.', '%2E'),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    wide(address),
    superscript(address),
    address.replace('.', '\u00ad.'),
  ]
}

/** IPv6 addresses that contain this IPv4 address, in brackets. */
function spellings6(address: string) {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address)
  const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
  const inverted = [(a * 256 + b) ^ 0xffff, (c * 256 + d) ^ 0xffff].map(part => part.toString(16)).join(':')
  return [
    `::ffff:${address}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:FFFF:${high.toUpperCase()}:${low.toUpperCase()}`,
    `0000:0000:0000:0000:0000:ffff:${address}`,
    `::${high}:${low}`,
    `::${address}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${address}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::1`,
    `2001:0:0808:0808:0:ffff:${inverted}`,
    `2a00:1450::5efe:${high}:${low}`,
    `2a00:1450::200:5efe:${high}:${low}`,
    `fe80::5efe:${address}`,
  ].map(text => `[${text}]`)
}

/** IPv6 addresses without an IPv4 address. */
const SIX = [
  ['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0001', '0::1'],
  ['fc00::1', 'fd00::1', 'FD00:EC2::254', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::1', 'febf::1'],
  ['fe80::1%25eth0', 'fe80::1%eth0', 'fe80::1%251', '::1%25lo', 'fec0::1', 'ff02::1', 'ff0e::1', 'FF01::1'],
  ['100::1', '2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001::1'],
  ['5f00::1', '4000::1', 'a000::1', 'e000::1', '1::1', '64:ff9b:2::1', '2001:1::1'],
]
  .flat()
  .map(text => `[${text}]`)

/** Names of this machine on any system. */
const OWN_NAMES = [
  ['localhost', 'LOCALHOST', 'LocalHost', 'localhost.', 'sub.localhost', 'a.b.localhost', 'localhost%2e'],
  [
    '%6c%6f%63%61%6c%68%6f%73%74',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'local\u00adhost',
    'ℒocalhost',
    'localhoſt',
  ],
].flat()

/** Every spelling of this machine. */
const OWN_HOSTS = [
  ...LOOPBACK.flatMap(address => [...spellings4(address), ...spellings6(address)]),
  ...SIX.slice(0, 6),
  ...OWN_NAMES,
]

const OTHER_HOSTS = [
  ...INNER.flatMap(address => [...spellings4(address), ...spellings6(address)]),
  ...SIX.slice(6),
]

/** URLs with unusual parts around the host. Each means loopback or is invalid. */
const oddUrls = (port: number) => [
  `http:127.0.0.1:${port}/`,
  `http:/127.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `\\\\127.0.0.1:${port}\\`,
  `//127.0.0.1:${port}/`,
  `HTTP://127.0.0.1:${port}/`,
  ` \t\n http://127.0.0.1:${port}/ \t\n`,
  `ht\ntp://127.0.0.1:${port}/`,
  `http://127.0.\t0.1:${port}/`,
  `http://127.0.0.1\r\n:${port}/`,
  `http://127.0.0.1:${port}\\@8.8.8.8/`,
  `http://127.0.0.1:${port}?@8.8.8.8/`,
  `http://8.8.8.8@127.0.0.1:${port}/`,
  `http://a:b@c@127.0.0.1:${port}/`,
  `http://%00@127.0.0.1:${port}/`,
  `http://127.0.0.1:0${port}/`,
  `http://127.0.0.1%00.example.com:${port}/`,
  `http://[::1]a:${port}/`,
  `http://[127.0.0.1]:${port}/`,
  `http://[::ffff:127.0.0.1%25lo]:${port}/`,
  `http://0x7f.1:${port}/`,
  `http://0:${port}/`,
  `http://4294967297:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_GET`,
  `file:///etc/passwd`,
  `jar:http://127.0.0.1:${port}/!/`,
  `http://127.0.0.1:${port}/${'a'.repeat(10_000)}`,
]

/** URLs of this machine at this port, and of other forbidden addresses. */
const forbiddenUrls = (port: number) => [
  ...OWN_HOSTS.map(host => `http://${host}:${port}/photo`),
  ...oddUrls(port),
  // The edge decodes data: URLs itself and never sends them to core.
  `data:image/png;base64,iVBORw0KGgo=`,
  ...OTHER_HOSTS.map(host => `http://${host}:${port}/photo`),
  ...['127.0.0.1', '169.254.169.254', '[::1]', '[fd00:ec2::254]'].flatMap(host => [
    `http://${host}/`,
    `https://${host}/`,
    `http://${host}:22/`,
    `http://${host}:65535/`,
  ]),
]

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
  'empty.test': [],
  'words.test': ['localhost'],
  'spelt.test': ['0x7f000001'],
  'short.test': ['127.1'],
}

/** Resolves every other name to this machine, without a name server. */
const resolve = async (host: string): Promise<LookupAddress[]> =>
  (ANSWERS[host] ?? ['127.0.0.1', '::1']).map(address => ({ address, family: address.includes(':') ? 6 : 4 }))

const fetchPhoto = fetcherOf({ resolve, connectMs: 200, totalMs: 500 })

/** The URLs that are not refused as expected, with the outcome. */
async function offenders(urls: readonly string[]) {
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
