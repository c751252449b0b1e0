/** The environment, as it is understood and as it is refused. */
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { readConfiguration } from '../../../core/configuration/environment.ts'

it('needs nothing to be set', () => {
  expect(readConfiguration({ MIEN_DATA: '', PATH: '/bin' })).toEqual({
    data: resolve('data'),
    host: '127.0.0.1',
    port: 8788,
    photoHosts: new Set(),
    edgeSecret: undefined,
    optionsFile: undefined,
  })
})

it('takes every variable', () => {
  const configuration = readConfiguration({
    MIEN_DATA: '/var/lib/mien',
    MIEN_CORE_HOST: '::1',
    MIEN_CORE_PORT: '0',
    MIEN_PHOTO_HOSTS: 'Pictures.example.com:443, 10.0.0.7:8080,,[::1]:80',
    MIEN_EDGE_SECRET: 'x'.repeat(32),
    MIEN_CONFIG: '/etc/facenapi.ini',
  })
  expect(configuration).toEqual({
    data: resolve('/var/lib/mien'),
    host: '::1',
    port: 0,
    photoHosts: new Set(['pictures.example.com:443', '10.0.0.7:8080', '[::1]:80']),
    edgeSecret: 'x'.repeat(32),
    optionsFile: resolve('/etc/facenapi.ini'),
  })
})

it.each([
  ['MIEN_CORE_PORT', 'eighty', 'MIEN_CORE_PORT must be a port number'],
  ['MIEN_CORE_PORT', '65536', 'MIEN_CORE_PORT must be a port number'],
  ['MIEN_CORE_PORT', '-1', 'MIEN_CORE_PORT must be a port number'],
  ['MIEN_PHOTO_HOSTS', 'example.com', 'MIEN_PHOTO_HOSTS must be a comma-separated list of host:port'],
  [
    'MIEN_PHOTO_HOSTS',
    'http://example.com:80',
    'MIEN_PHOTO_HOSTS must be a comma-separated list of host:port',
  ],
  ['MIEN_EDGE_SECRET', 'short', 'MIEN_EDGE_SECRET must have at least 32 characters'],
])('refuses %s=%s in words that help', (name, value, message) => {
  expect(() => readConfiguration({ [name]: value })).toThrow(message)
})
