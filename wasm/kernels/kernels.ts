/** Interface of the WebAssembly kernels in assembly/, functions over an imported memory. */

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
   * (binary-code.ts) multiplies each value by its factor, then applies the Walsh-Hadamard transform to the first values, or
   * in every second round to the last values.
   */
  rotate(vector: number, values: number, factors: number): void

  /**
   * Writes the binary code (binary-code.ts) of a row's int8 code into its lane of a group, 0..31. `step` is the length of
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
}

/** Instantiates the kernels over a memory; both are for one thread. */
export async function instantiateKernels(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Promise<Kernels> {
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } })
  return exports as unknown as Kernels
}
