/** Decompression: equal to zlib, one window at a time, until the first fault. */
import { constants, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Inflate } from '#wasm/decode/inflate.ts'

/** The decompressed bytes, and the error that followed. */
function inflated(...pieces: Uint8Array[]): { bytes: Buffer; damage?: unknown } {
  const parts: Uint8Array[] = []
  try {
    const inflate = new Inflate(pieces)
    for (let part = inflate.next(); part; part = inflate.next()) parts.push(part.slice())
    return { bytes: Buffer.concat(parts) }
  } catch (damage) {
    return { bytes: Buffer.concat(parts), damage }
  }
}

/** Bytes with near and far repetitions: up to five random patterns in any order. */
const repetitive = fc
  .tuple(
    fc.array(fc.uint8Array({ minLength: 1, maxLength: 700 }), { minLength: 1, maxLength: 5 }),
    fc.array(fc.tuple(fc.nat(4), fc.nat(40)), { maxLength: 60 }),
  )
  .map(([patterns, plan]) =>
    Buffer.concat(plan.flatMap(([which, times]) => Array(times).fill(patterns[which % patterns.length]!))),
  )

const settings = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FILTERED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
  memLevel: fc.integer({ min: 1, max: 9 }),
})

describe('Inflate', () => {
  it('decompresses the output of zlib at each level and strategy', () => {
    fc.assert(
      fc.property(repetitive, settings, (bytes, options) => {
        const { bytes: back, damage } = inflated(deflateSync(bytes, options))
        expect(damage).toBeUndefined()
        expect(back.equals(bytes)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('returns the bytes before a truncation, then throws', () => {
    fc.assert(
      fc.property(
        repetitive,
        settings,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (bytes, options, share) => {
          const whole = deflateSync(bytes, options)
          // Without the checksum, which is not read.
          const cut = whole.subarray(0, Math.floor((whole.length - 4) * share))
          const { bytes: part, damage } = inflated(cut)
          expect(damage).toBeInstanceOf(Error)
          // Zeros replace the missing bits and may decode to a few symbols.
          const sure = Math.max(0, part.length - 16 * 258)
          expect(bytes.subarray(0, sure).equals(part.subarray(0, sure))).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })

  it.each([
    { what: 'another compression method', bytes: [0x79, 0x9b] },
    { what: 'a header that is not a multiple of 31', bytes: [0x78, 0x9d] },
    { what: 'a dictionary', bytes: [0x78, 0x20 + 0x9b] },
    { what: 'an empty stream', bytes: [] },
  ])('refuses $what', ({ bytes }) => {
    expect(inflated(Uint8Array.from(bytes)).damage).toBeInstanceOf(Error)
  })
})
