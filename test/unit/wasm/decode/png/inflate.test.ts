/** Inflating: as zlib does, a window at a time, and no more once the stream is damaged. */
import { constants, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Inflate } from '../../../../../wasm/decode/png/inflate.ts'

/** All that comes out, and what was thrown behind it. */
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

/** Bytes with repetitions near and far: a few patterns in any order, and noise between them. */
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
  it('undoes what zlib does, at every level and strategy', () => {
    fc.assert(
      fc.property(repetitive, settings, (bytes, options) => {
        const { bytes: back, damage } = inflated(deflateSync(bytes, options))
        expect(damage).toBeUndefined()
        expect(back.equals(bytes)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('reads codes of all lengths', () => {
    // Frequencies like Fibonacci's numbers need codes of 15 bits.
    const counts = [1, 1]
    while (counts.length < 22) counts.push(counts.at(-1)! + counts.at(-2)!)
    const bytes = Buffer.concat(counts.map((count, value) => Buffer.alloc(count, value * 11)))
    const options = { strategy: constants.Z_HUFFMAN_ONLY, memLevel: 9 }
    expect(inflated(deflateSync(bytes, options)).bytes.equals(bytes)).toBe(true)
  })

  it('hands out little of a bomb at a time', () => {
    const inflate = new Inflate([deflateSync(Buffer.alloc(50_000_000))])
    expect(inflate.next()!.length).toBeLessThan(40_000)
  })

  it('hands out what precedes a cut, and then throws', () => {
    fc.assert(
      fc.property(
        repetitive,
        settings,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (bytes, options, share) => {
          const whole = deflateSync(bytes, options)
          // Without its checksum, which is not read.
          const cut = whole.subarray(0, Math.floor((whole.length - 4) * share))
          const { bytes: part, damage } = inflated(cut)
          expect(damage).toBeInstanceOf(Error)
          // The zeros that stand for what was cut off may make a few symbols.
          const sure = Math.max(0, part.length - 16 * 258)
          expect(bytes.subarray(0, sure).equals(part.subarray(0, sure))).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('ends on any bytes, with bytes or an Error', () => {
    const start = fc.constantFrom([0x78, 0x9c], [0x78, 0x9c, 4], [0x78, 0x9c, 5], [])
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (head, tail) => {
        const { damage } = inflated(Uint8Array.from(head), tail)
        if (damage !== undefined) expect(damage).toBeInstanceOf(Error)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    { what: 'another method', bytes: [0x79, 0x9b] },
    { what: 'a header that is no multiple of 31', bytes: [0x78, 0x9d] },
    { what: 'a dictionary', bytes: [0x78, 0x20 + 0x9b] },
    { what: 'a block of the fourth kind', bytes: [0x78, 0x9c, 0b111, 0] },
    { what: 'a stored block whose length is damaged', bytes: [0x78, 0x9c, 0b001, 5, 0, 5, 0, 1, 2, 3, 4, 5] },
    { what: 'nothing', bytes: [] },
  ])('refuses $what', ({ bytes }) => {
    expect(inflated(Uint8Array.from(bytes)).damage).toBeInstanceOf(Error)
  })

  it('refuses a copy of what comes before the stream', () => {
    // Fixed codes: the byte 0, then three bytes from two back.
    const bits = ['1', '10', '00110000', '0000001', '00001'].join('')
    const packed = bits
      .padEnd(32, '0')
      .match(/.{8}/g)!
      .map(eight => Number.parseInt([...eight].reverse().join(''), 2))
    expect(inflated(Uint8Array.of(0x78, 0x9c, ...packed)).damage).toMatchObject({
      message: /before the stream/,
    })
  })
})
