/** Public and other addresses. */
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '#core/network/addresses.ts'

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
    'is true for %s',
    address => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::8.8.8.8',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '2002:a00:1::',
    '2001::1',
    '2001:db8::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '4000::1',
    'a000::1',
    '',
    'localhost',
    '8.8.8.8/32',
  ])('is false for "%s"', address => expect(isPublicAddress(address)).toBe(false))
})
