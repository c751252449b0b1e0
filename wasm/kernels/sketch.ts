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

/** Values of a rotated vector: the next power of two. */
export const sketchValues = (dimension: number): number => 2 ** Math.max(5, Math.ceil(Math.log2(dimension)))

export const groupBytes = (values: number): number => 4 * values + 2 * GROUP_ROWS
