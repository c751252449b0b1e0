/** Sealing: what was sealed comes back; what was changed, moved or made with another key does not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markOf, SEAL_BYTES, sealFor, subkey } from '../../../../core/encryption/encrypt.ts'
import { fileForm, markIn } from '../../../../core/encryption/file-form.ts'

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i)
const OTHER_KEY = Uint8Array.from({ length: 32 }, (_, i) => i + 1)

const anyBytes = fc.uint8Array({ maxLength: 600 })
const place = Buffer.from('here')

describe('a seal', () => {
  it('gives back what was sealed, and takes so many bytes more', () => {
    const seal = sealFor(KEY, 'pictures')
    fc.assert(
      fc.property(anyBytes, anyBytes, (bytes, place) => {
        const sealed = seal.seal(bytes, place)
        expect(sealed).toHaveLength(bytes.length + SEAL_BYTES)
        expect(Buffer.from(seal.open(sealed, place)!)).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it('gives nothing of what was changed in any bit, or cut', () => {
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
    { where: 'at another place', open: sealFor(KEY, 'pictures'), place: Buffer.from('there') },
    { where: 'for another use', open: sealFor(KEY, 'vectors'), place },
    { where: 'with another key', open: sealFor(OTHER_KEY, 'pictures'), place },
  ])('gives nothing $where', ({ open, place: other }) => {
    const sealed = sealFor(KEY, 'pictures').seal(Buffer.from('a picture'), place)
    expect(open.open(sealed, other)).toBeUndefined()
  })

  it('never seals the same bytes alike', () => {
    const seal = sealFor(KEY, 'pictures')
    expect(seal.seal(KEY, place)).not.toEqual(seal.seal(KEY, place))
  })
})

describe('keys', () => {
  it('are others for each use, and are told apart by marks that are no part of them', () => {
    expect(subkey(KEY, 'metadata')).not.toEqual(subkey(KEY, 'vectors'))
    expect(markOf(KEY)).not.toBe(markOf(OTHER_KEY))
    expect(markOf(KEY)).toBe(markOf(KEY))
    expect(markOf(undefined)).toBe(0)
  })
})

describe('the form of a file', () => {
  const [clear, sealed, other] = [undefined, KEY, OTHER_KEY].map(key => fileForm(key, 'pictures')) as [
    ReturnType<typeof fileForm>,
    ReturnType<typeof fileForm>,
    ReturnType<typeof fileForm>,
  ]
  const bytes = Buffer.from('a picture')

  it('is what the file says of itself', () => {
    for (const form of [clear, sealed, other]) {
      const stored = form.stored(bytes, 'here')
      expect(markIn(stored)).toBe(form.mark)
      expect(Buffer.from(form.read(stored, 'here')!)).toEqual(bytes)
    }
  })

  it('is never taken for another', () => {
    for (const form of [clear, sealed, other])
      for (const reader of [clear, sealed, other])
        if (reader !== form) expect(reader.read(form.stored(bytes, 'here'), 'here')).toBeUndefined()
  })
})
