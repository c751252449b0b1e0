/** Binary codes: one bit per value of a rotated row, and two numbers; the kernels score 32 of them at once. */

/**
 * Rows of one group. Its bytes: for each four values of the rows 16 bytes, whose byte n has the bits of row n in its
 * low half and those of row n + 16 in its high half; then a factor of each row (u8), then an offset of each row (i8).
 */
export const GROUP_ROWS = 32

/**
 * For a rotated row x, the mean m of all rows and r = x - m: a bit is 1 when the value of r is not negative. The factor
 * is FACTOR_STEPS times the sum of squares over the sum of absolute values of r. The offset is OFFSET_STEPS times the
 * dot product of r and m over the number of values. Both are rounded, and kept within their bytes.
 */
export const FACTOR_STEPS = 64
export const OFFSET_STEPS = 254

/** Greatest entry of a table: the sum of eight entries fits into a byte. */
export const GREATEST_ENTRY = 31

/** Values of a rotated vector: the next multiple of 32. */
export const rotatedValues = (dimension: number): number => 32 * Math.ceil(dimension / 32)

/** Values that one transform takes: the greatest power of two that is not above `values`. */
export const transformedValues = (values: number): number => 2 ** Math.floor(Math.log2(values))

/**
 * Rounds of a rotation. One transform covers a power of two of values. For other numbers, the rounds transform the
 * first and the last values in turn: after four rounds, each value is a nearly even sum of all values.
 */
export const rotationRounds = (values: number): number => (transformedValues(values) === values ? 1 : 4)

/**
 * Factors of a rotation, round after round: random signs, scaled to multiply lengths by the square root of `values` in
 * total, like one transform of all values. `random` returns numbers of 0..1.
 */
export function rotationFactors(values: number, random: () => number): Float32Array {
  const [part, rounds] = [transformedValues(values), rotationRounds(values)]
  const growth = Math.sqrt(part)
  const whole = Math.sqrt(values) / growth ** rounds
  return Float32Array.from({ length: rounds * values }, (_, i) => {
    const [round, value] = [Math.floor(i / values), i % values]
    const first = round % 2 === 0 ? 0 : values - part
    const isTransformed = value >= first && value < first + part
    const sign = random() < 0.5 ? -1 : 1
    return sign * (isTransformed ? 1 : growth) * (round === 0 ? whole : 1)
  })
}

/** Bytes of a group. */
export const groupBytes = (values: number): number => 4 * values + 2 * GROUP_ROWS
