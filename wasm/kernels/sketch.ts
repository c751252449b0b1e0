/** What a sketch is: a bit for each value of a rotated row, and two numbers; the kernels score 32 of them at once. */

/**
 * Rows of one group. Its bytes: for each four values of the rows 16 bytes, in whose byte n the low half has the bits of row
 * n and the high half those of row n + 16; then a factor of each row (u8), then an offset of each (i8).
 */
export const GROUP_ROWS = 32

/**
 * Of a row x, rotated, and a middle m that is the same for all: a bit says that a value of r = x - m is not below zero. The
 * factor is FACTOR_STEPS times the sum of squares over the sum of lengths of r, the offset OFFSET_STEPS times the dot product
 * of r and m over the number of values; both are rounded, and kept within their bytes.
 */
export const FACTOR_STEPS = 64
export const OFFSET_STEPS = 254

/** Greatest entry of a table: eight of them are added up in a byte. */
export const GREATEST_ENTRY = 31

/** Values of a rotated vector: the next multiple of 32. */
export const sketchValues = (dimension: number): number => 32 * Math.ceil(dimension / 32)

/** Values that one transform takes: the greatest power of two that is not above `values`. */
export const transformedValues = (values: number): number => 2 ** Math.floor(Math.log2(values))

/**
 * Rounds of a rotation. One transform takes a power of two of values whole. Of others the rounds take the first and the last
 * so many by turns: after four, each value is a sum of all, nearly evenly.
 */
export const rotationRounds = (values: number): number => (transformedValues(values) === values ? 1 : 4)

/**
 * What the rounds of a rotation multiply values by, round after round: random signs, times what makes lengths grow by the root of
 * `values` in the end, as one transform of all values makes them. `random` gives numbers of 0..1.
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

export const groupBytes = (values: number): number => 4 * values + 2 * GROUP_ROWS
