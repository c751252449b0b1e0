/** Public and own addresses. test/service/core/photos/forbidden.test.ts has forbidden addresses. */
import { isOwnAddress, isPublicAddress, networkOf } from '#core/network/addresses.ts'

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
    'is true for %s',
    address => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    '::ffff:8.8.8.8',
    '::8.8.8.8',
    '64:ff9b::808:808',
    '2002:808:808::',
    '',
    'localhost',
    '8.8.8.8/32',
  ])('is false for "%s"', address => expect(isPublicAddress(address)).toBe(false))
})

it.each([
  ['8.8.8.8', '::ffff:8.8.8.8', '8.8.4.4'],
  ['2a00:1450::1', '2A00:1450:0:0:ff::9', '2a00:1450:0:1::1'],
])('networkOf is the same for %s and %s, and another one for %s', (one, same, other) => {
  expect(networkOf(same)).toBe(networkOf(one))
  expect(networkOf(other)).not.toBe(networkOf(one))
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
