/** Half-precision floats: stores weights in half the bytes when no precision is lost. */

/** IEEE 754: mantissa bits that a half lacks, difference of the exponent biases, and the largest exponent. */
const LOST_MANTISSA_BITS = 13
const EXPONENT_SHIFT = 127 - 15
const LARGEST_EXPONENT = 30

/** The same numbers as 16-bit floats, little-endian; undefined when a number has no exact half. */
export function exactHalves(values: Float32Array): Uint8Array | undefined {
  const halves = new Uint16Array(values.length)
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  for (const [index, single] of bits.entries()) {
    const half = exactHalf(single)
    if (half === undefined) return undefined
    halves[index] = half
  }
  return new Uint8Array(halves.buffer)
}

/** Converts the bits of a float32 to those of the equal float16, if it exists. */
function exactHalf(single: number): number | undefined {
  const sign = (single >>> 16) & 0x8000
  const exponent = ((single >>> 23) & 0xff) - EXPONENT_SHIFT
  const mantissa = single & 0x7fffff
  if ((single & 0x7fffffff) === 0) return sign
  if (exponent > LARGEST_EXPONENT) return undefined
  if (exponent > 0) return exactShift(mantissa, LOST_MANTISSA_BITS, sign | (exponent << 10))
  // Below the smallest normal half, the leading 1 is stored explicitly, and each step down costs a bit.
  return exactShift(mantissa | 0x800000, LOST_MANTISSA_BITS + 1 - exponent, sign)
}

/** Drops the lowest `bits` of `mantissa`, which must be zero, and joins the rest to the upper bits. */
const exactShift = (mantissa: number, bits: number, above: number): number | undefined =>
  mantissa % 2 ** bits === 0 ? above | (mantissa / 2 ** bits) : undefined
