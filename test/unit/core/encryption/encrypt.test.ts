/** Authenticated encryption: changed, moved or foreign ciphertexts do not decrypt. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markOf, SEAL_BYTES, sealFor, subkey } from '#core/encryption/encrypt.ts'
import { fileForm, markIn } from '#core/encryption/file-form.ts'

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i)
const OTHER_KEY = Uint8Array.from({ length: 32 }, (_, i) => i + 1)

const anyBytes = fc.uint8Array({ maxLength: 600 })
const place = Buffer.from('here')

describe('sealFor', () => {
  it('decrypts its own ciphertext, which is SEAL_BYTES longer', () => {
    const seal = sealFor(KEY, 'pictures')
    fc.assert(
      fc.property(anyBytes, anyBytes, (bytes, place) => {
        const sealed = seal.seal(bytes, place)
        expect(sealed).toHaveLength(bytes.length + SEAL_BYTES)
        expect(Buffer.from(seal.open(sealed, place)!)).toEqual(Buffer.from(bytes))
      }),
    )
  })

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

describe('subkey and markOf', () => {
  it('differ by use and by key, and markOf is 0 without a key', () => {
    expect(subkey(KEY, 'metadata')).not.toEqual(subkey(KEY, 'vectors'))
    expect(markOf(KEY)).not.toBe(markOf(OTHER_KEY))
    expect(markOf(KEY)).toBe(markOf(KEY))
    expect(markOf(undefined)).toBe(0)
  })
})

describe('fileForm', () => {
  const [clear, sealed, other] = [undefined, KEY, OTHER_KEY].map(key => fileForm(key, 'pictures')) as [
    ReturnType<typeof fileForm>,
    ReturnType<typeof fileForm>,
    ReturnType<typeof fileForm>,
  ]
  const bytes = Buffer.from('a picture')

  it('stores its mark in the file, and reads the file back', () => {
    for (const form of [clear, sealed, other]) {
      const stored = form.stored(bytes, 'here')
      expect(markIn(stored)).toBe(form.mark)
      expect(Buffer.from(form.read(stored, 'here')!)).toEqual(bytes)
    }
  })

  it('refuses files of another form', () => {
    for (const form of [clear, sealed, other])
      for (const reader of [clear, sealed, other])
        if (reader !== form) expect(reader.read(form.stored(bytes, 'here'), 'here')).toBeUndefined()
  })
})
