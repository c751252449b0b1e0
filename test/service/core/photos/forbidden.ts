/** Spellings of addresses from which no photo may be fetched. */

/** Addresses of this machine; private, metadata and reserved addresses. */
const LOOPBACK = ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '0.0.0.0'] as const

const INNER = [
  ['10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.254', '172.16.0.1', '172.31.255.255'],
  ['192.168.0.1', '192.168.255.255', '169.254.0.1', '0.1.2.3', '192.0.0.1'],
  ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ['192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
  ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
].flat()

const bytesOf = (address: string): number[] => address.split('.').map(Number)

const numberOf = (address: string): number => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0)

const wide = (text: string): string =>
  text.replace(/[0-9]/g, digit => String.fromCodePoint(0xff10 + Number(digit)))

const superscript = (text: string): string => text.replace(/[0-9]/g, digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]!)

const encoded = (text: string): string =>
  text.replace(/./g, letter => `%${letter.charCodeAt(0).toString(16)}`)

/** Spellings that WHATWG URL parses as this IPv4 address. */
function spellings4(address: string): string[] {
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
function spellings6(address: string): string[] {
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
export const OWN_NAMES = [
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
const oddUrls = (port: number): string[] => [
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
export const forbiddenUrls = (port: number): string[] => [
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
