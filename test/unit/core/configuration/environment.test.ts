/** Variables of the environment: accepted values and refusals. */
import { resolve } from 'node:path'
import { readConfiguration } from '#core/configuration/environment.ts'

it('readConfiguration returns the defaults when no variable is set', () => {
  expect(readConfiguration({ MIEN_DATA: '', PATH: '/bin' })).toEqual({
    data: resolve('data'),
    host: '127.0.0.1',
    port: 8788,
    photoHosts: new Set(),
    webhookHosts: new Set(),
    edgeSecret: undefined,
    edgeSecretPrevious: undefined,
    optionsFile: undefined,
    pack: undefined,
    shardsFile: undefined,
    operatorToken: undefined,
    indexAbove: undefined,
    requestsPerSecond: undefined,
    storePictures: true,
    storePhotoNames: true,
  })
})

it('readConfiguration reads each variable', () => {
  const configuration = readConfiguration({
    MIEN_DATA: '/var/lib/mien',
    MIEN_CORE_HOST: '::1',
    MIEN_CORE_PORT: '0',
    MIEN_PHOTO_HOSTS: 'Pictures.example.com:443, 10.0.0.7:8080,,[::1]:80',
    MIEN_WEBHOOK_HOSTS: '10.0.0.8:80',
    MIEN_EDGE_SECRET: 'x'.repeat(32),
    MIEN_EDGE_SECRET_PREVIOUS: 'y'.repeat(32),
    MIEN_CONFIG: '/etc/facenapi.ini',
    MIEN_PACK: 'opencv',
    MIEN_SHARDS: '/etc/shards.json',
    MIEN_OPERATOR_TOKEN: 'o'.repeat(32),
    MIEN_INDEX_ABOVE: '1000',
    MIEN_REQUESTS_PER_SECOND: '2.5',
    MIEN_PICTURES: 's3://faces/site?endpoint=https://s3.example.com',
    MIEN_STORE_PICTURES: 'no',
    MIEN_STORE_PHOTO_NAMES: 'FALSE',
  })
  expect(configuration).toEqual({
    data: resolve('/var/lib/mien'),
    host: '::1',
    port: 0,
    photoHosts: new Set(['pictures.example.com:443', '10.0.0.7:8080', '[::1]:80']),
    webhookHosts: new Set(['10.0.0.8:80']),
    edgeSecret: 'x'.repeat(32),
    edgeSecretPrevious: 'y'.repeat(32),
    optionsFile: resolve('/etc/facenapi.ini'),
    pack: 'opencv',
    shardsFile: resolve('/etc/shards.json'),
    operatorToken: 'o'.repeat(32),
    indexAbove: 1000,
    requestsPerSecond: 2.5,
    pictures: 's3://faces/site?endpoint=https://s3.example.com',
    storePictures: false,
    storePhotoNames: false,
  })
})

it.each([
  ['MIEN_CORE_PORT', 'eighty', 'must be a port number'],
  ['MIEN_PHOTO_HOSTS', 'http://example.com:80', 'must be a comma-separated list of host:port'],
  ['MIEN_DATABASE_REPLICAS', 'http://replica:8080,ftp://other', 'must be like "libsql://host"'],
  ['MIEN_REQUESTS_PER_SECOND', '0', 'must be a number of requests, above 0'],
  ['MIEN_INDEX_ABOVE', '0', 'must be a number of faces, 1 or more'],
  ['MIEN_STORE_PICTURES', 'maybe', 'must be true or false'],
  [
    'MIEN_PICTURES',
    's3://key:secret@faces',
    'must be like s3://bucket/prefix?endpoint=https://host&region=name',
  ],
  ['MIEN_OIDC_ISSUER', 'http://id.example.com', 'must be an https address, without a query'],
  ['MIEN_OIDC_ROLES', 'look=staff;owner=boss', 'must be like "administer=group one;look=group two"'],
  ['MIEN_OPERATOR_TOKEN', `${'x'.repeat(40)} x`, 'must be plain characters without spaces'],
  ['MIEN_EDGE_SECRET', 'short', 'must have at least 32 characters'],
  ['MIEN_OPERATOR_TOKEN', 'x'.repeat(31), 'must have at least 32 characters'],
  ['MIEN_DATABASE_URL', 'https://db.example.com?authToken=secret', 'must not have a token in it'],
])('readConfiguration refuses %s=%s, which %s', (name, value, expected) => {
  expect(() => readConfiguration({ [name]: value })).toThrow(`${name} ${expected}`)
})

it.each(['0.0.0.0', '::', '127.0.0.1.example.com'])(
  'readConfiguration refuses to listen on %s without an operator token',
  host => {
    const complaint = `MIEN_OPERATOR_TOKEN must be set, to 32 characters or more, because core listens on ${host}`
    expect(() => readConfiguration({ MIEN_CORE_HOST: host })).toThrow(complaint)
    const token = 'o'.repeat(32)
    expect(readConfiguration({ MIEN_CORE_HOST: host, MIEN_OPERATOR_TOKEN: token }).host).toBe(host)
  },
)

it('readConfiguration refuses an edge secret that equals the operator token', () => {
  const both = { MIEN_EDGE_SECRET: 's'.repeat(32), MIEN_OPERATOR_TOKEN: 's'.repeat(32) }
  expect(() => readConfiguration(both)).toThrow('MIEN_EDGE_SECRET and MIEN_OPERATOR_TOKEN must differ')
})

it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', 'LocalHost'])(
  'readConfiguration needs no operator token on %s',
  host => {
    expect(readConfiguration({ MIEN_CORE_HOST: host }).operatorToken).toBeUndefined()
  },
)

it.each(['file:/srv/mien.db', 'http://primary:8080', 'http://primary:8080/'])(
  'readConfiguration refuses a replica of a file, and the database %s as its own replica',
  url => {
    const variables = { MIEN_DATABASE_URL: url, MIEN_DATABASE_REPLICAS: 'http://primary:8080' }
    expect(() => readConfiguration(variables)).toThrow(
      'MIEN_DATABASE_REPLICAS must be replicas of the server',
    )
  },
)

it('readConfiguration reads replicas, separated by commas', () => {
  const { database } = readConfiguration({
    MIEN_DATABASE_URL: 'http://primary:8080',
    MIEN_DATABASE_REPLICAS: 'http://one:8080, https://two',
  })
  expect(database?.replicas).toEqual(['http://one:8080', 'https://two'])
})

it('readConfiguration reads an OpenID provider, and refuses half of one', () => {
  const half = { MIEN_OIDC_ISSUER: 'https://id.example.com/realms/office', MIEN_OIDC_CLIENT_ID: 'mien' }
  expect(() => readConfiguration(half)).toThrow('needs MIEN_OIDC_CLIENT_SECRET and MIEN_OIDC_ROLES too')
  const rest = {
    MIEN_OIDC_CLIENT_SECRET: 'secret',
    MIEN_OIDC_ROLES: 'look=cn=staff,dc=example; manage = two words',
  }
  expect(readConfiguration({ ...half, ...rest }).provider).toMatchObject({
    name: 'id.example.com',
    groupsClaim: 'groups',
    roles: [
      { role: 'look', group: 'cn=staff,dc=example' },
      { role: 'manage', group: 'two words' },
    ],
  })
})
