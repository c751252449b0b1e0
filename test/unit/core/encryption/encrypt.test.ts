/** Authenticated encryption: changed, moved or foreign ciphertexts do not decrypt. */
import fc from 'fast-check'
import { sealFor } from '#core/encryption/encrypt.ts'

const KEY = new Uint8Array(32).fill(1)
const OTHER_KEY = new Uint8Array(32).fill(2)

const anyBytes = fc.uint8Array({ maxLength: 600 })
const place = Buffer.from('here')

describe('sealFor', () => {
  it('refuses a ciphertext with any changed bit, or a truncated one', () => {
    const seal = sealFor(KEY, 'pictures')
    fc.assert(
      fc.property(anyBytes, fc.nat(), fc.nat(7), (bytes, at, bit) => {
        const sealed = seal.seal(bytes, place)
        expect(seal.open(sealed.subarray(0, at % sealed.length), place)).toBeUndefined()
        sealed[at % sealed.length]! ^= 1 << bit
        expect(seal.open(sealed, place)).toBeUndefined()
      }),
    )
  })

  it.each([
    { where: 'of another place', open: sealFor(KEY, 'pictures'), place: Buffer.from('there') },
    { where: 'of another use', open: sealFor(KEY, 'vectors'), place },
    { where: 'of another key', open: sealFor(OTHER_KEY, 'pictures'), place },
  ])('refuses a ciphertext $where', ({ open, place: other }) => {
    const sealed = sealFor(KEY, 'pictures').seal(Buffer.from('a picture'), place)
    expect(open.open(sealed, other)).toBeUndefined()
  })

  it('encrypts the same bytes differently each time', () => {
    const seal = sealFor(KEY, 'pictures')
    expect(seal.seal(KEY, place)).not.toEqual(seal.seal(KEY, place))
  })
})
