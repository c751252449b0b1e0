/** The network of a caller, of any notation of its address. */
import * as fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { callerNetwork } from '#edge/admission/caller-network.ts'

const networkOf = (address: string) =>
  callerNetwork({ headers: new Headers({ 'cf-connecting-ip': address }) })

describe('callerNetwork', () => {
  it('is the /64 of an IPv6 address in any notation', () => {
    const notations = fc.oneof(
      fc.ipV6(),
      fc.ipV6().map(address => ipaddr.parse(address).toString()),
      fc.ipV6().map(address => ipaddr.parse(address).toNormalizedString().toUpperCase()),
    )
    fc.assert(
      fc.property(notations, address => {
        const whole = ipaddr.IPv6.parse(address).toNormalizedString()
        expect(networkOf(address)).toBe(whole.split(':').slice(0, 4).join(':'))
      }),
      { numRuns: 1_000 },
    )
  })

  it('is the whole IPv4 address, and "" without one', () => {
    expect([networkOf('192.0.2.7'), callerNetwork({ headers: new Headers() })]).toEqual(['192.0.2.7', ''])
  })
})
