/** Interface of the WebAssembly kernels in assembly/, functions over an imported memory, and the codes that they read. */

/**
 * Build of the kernels by instruction set. Both compute the same scores, bit for bit, because integer sums do not
 * depend on the order.
 */
export type KernelBuild = 'simd' | 'relaxed'

/** Levels of a code on each side of zero. A row's code is one unsigned byte per value; ROW_ZERO stands for zero. */
export const PROBE_LEVELS = 127
export const ROW_LEVELS = 63
export const ROW_ZERO = 64

/** The bytes of a code are a multiple of this. Padding values are zeros. */
export const CODE_ALIGNMENT = 16

/** Bytes of the code of a vector. */
export const codeBytes = (dimension: number): number => Math.ceil(dimension / CODE_ALIGNMENT) * CODE_ALIGNMENT

/** Bytes between a record's code and its end. The first four are the length of the code's step, a float32. */
export const TRAILER_BYTES = 16

/** Addresses and sizes are bytes of the memory, and are not checked. Float vectors are padded with zeros like codes. */
export interface Kernels {
  /**
   * Encodes a vector of `bytes` floats: -levels..levels steps per value, plus `zero`. Writes into `about`: the length
   * of a step (f32), the squared length of the rounding error (f32), the sum of all steps (i32).
   */
  encode(vector: number, bytes: number, levels: number, zero: number, code: number, about: number): void

  /**
   * Scores `count` records, and writes those above `bar` as pairs (address u32, score f32) into `found`, in the order
   * of the records. `probe` is a code with PROBE_LEVELS around 0, `shift` is ROW_ZERO times the sum of its steps, and
   * `scale` the length of a step. Returns the number of pairs.
   */
  scan(
    record: number,
    count: number,
    bytes: number,
    probe: number,
    shift: number,
    scale: number,
    bar: number,
    found: number,
  ): number

  /** Writes the dot products of a float vector and `count` contiguous ones, as f32. */
  rank(vectors: number, count: number, floats: number, probe: number, scores: number): void

  /**
   * Writes for each of `count` contiguous row codes (a multiple of four) the u32 number of its best centroid, the first
   * of equals. A centroid has a code like a probe's, and in `factors` its shift (i32) and scale (f32).
   */
  assign(
    rows: number,
    count: number,
    bytes: number,
    centroids: number,
    factors: number,
    lists: number,
    best: number,
  ): void

  /**
   * Rotates a vector in place, which multiplies its length by the square root of `values`, a multiple of 32. Each round
   * multiplies each value by its factor, then applies the Walsh-Hadamard transform to the first values, or
   * in every second round to the last values.
   */
  rotate(vector: number, values: number, factors: number): void

  /**
   * Writes the binary code of a row's int8 code into its lane of a group, 0..31. `step` is the length of
   * the code's step, `middle` the rotated mean vector m, and `work` has space for `values` floats.
   */
  encodeBinary(
    code: number,
    bytes: number,
    zero: number,
    step: number,
    factors: number,
    middle: number,
    values: number,
    work: number,
    group: number,
    lane: number,
  ): void

  /**
   * Scores the first `rows` binary codes of groups, and writes those above `bar` as pairs (row u32, score i32) into
   * `found`, in their order. `found` needs 64 bytes behind the pairs of whole groups. `table` has 16 entries of
   * 0..GREATEST_ENTRY per four values: one for each pattern of their bits. A score is ((sum of entries << shift) -
   * bias) * factor / 256 + offset * offsetScale / 128, each term rounded, and kept within 16 bits. Returns the number
   * of pairs.
   */
  prefilter(
    group: number,
    rows: number,
    values: number,
    table: number,
    shift: number,
    bias: number,
    offsetScale: number,
    bar: number,
    found: number,
  ): number

  /**
   * Writes a view of `columns` x `rows` pixels of a picture of `width` x `height` pixels. Pictures are RGB, three bytes per pixel; 5
   * bytes behind the source are read, and ignored. x' = ax + by + c and y' = dx + ey + f map the view to the picture. Sampling is
   * bilinear; the outermost pixels of the picture are repeated. Where x' is not within 0..across or y' not within 0..down, all three
   * bytes are `outside`, unless it is -1.
   */
  sample(
    source: number,
    width: number,
    height: number,
    across: number,
    down: number,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    target: number,
    columns: number,
    rows: number,
    outside: number,
  ): void

  /**
   * Writes a picture of half the size: the rounded mean of each 2 x 2 pixels. The last column and row stand for one where the size
   * is odd.
   */
  halve(source: number, width: number, height: number, target: number): void
}

/** Instantiates the kernels over a memory; both are for one thread. */
export function instantiateKernels(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernels
}

/**
 * Rows of one group. Its bytes: 16 bytes for each four values of the rows; then a factor of each row (u8), then an offset of each
 * row (i8). Byte n of 16 has the bits of row n in its low half, and the bits of row n + 16 in its high half.
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
