/** Public addresses. test/service/core/photos/forbidden.ts has the others. */
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '#core/network/addresses.ts'

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
