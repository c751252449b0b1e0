import fc from 'fast-check'
import { expect, it } from 'vitest'
import { exactHalves } from '#models/convert/onnx/layers.ts'

/** The value of a binary16 number, IEEE 754-2008. */
function halfValue(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 31
  const mantissa = half & 1023
  return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1 + mantissa / 1024) * 2 ** (exponent - 15)
}

const bitsOf = (bytes: Uint8Array) => [...new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)]

it('exactHalves returns the bits of each finite half', () => {
  const finite = Array.from({ length: 65_536 }, (_, bits) => bits).filter(bits => ((bits >> 10) & 31) !== 31)
  const halves = exactHalves(Float32Array.from(finite, halfValue))
  expect(bitsOf(halves!)).toEqual(finite)
})

it('exactHalves refuses numbers that a half cannot represent exactly', () => {
  for (const value of [0.1, 65_536, 1e-9, 2 ** -25, 1 + 2 ** -11, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(exactHalves(Float32Array.of(0, value)), String(value)).toBeUndefined()
  }
})

it('exactHalves never changes a number that it accepts', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true }), number => {
      const halves = exactHalves(Float32Array.of(number))
      if (halves) expect(halfValue(bitsOf(halves)[0]!)).toBe(number)
    }),
  )
})
