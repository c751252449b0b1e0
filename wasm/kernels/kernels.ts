/** The kernels' interface: what the functions of assembly/ do over the memory that they were given. */

/**
 * The build of the kernels for the widest instructions of this runtime. Both give the same scores to the bit: they add
 * whole numbers in every order to the same sum.
 */
export type KernelBuild = 'simd' | 'relaxed'

/** Levels of a code on each side of zero. A row's code is one unsigned byte a value, zero being ROW_LEVELS + 1. */
export const PROBE_LEVELS = 127
export const ROW_LEVELS = 63
export const ROW_ZERO = 64

/** Bytes of a code are a multiple of this; values that fill up are zeros. */
export const CODE_ALIGNMENT = 16

/** Bytes of a code of so many values. */
export const codeBytes = (dimension: number): number => Math.ceil(dimension / CODE_ALIGNMENT) * CODE_ALIGNMENT

/** Bytes between a record's code and its end. The first four are the length of the code's step, a float32. */
export const TRAILER_BYTES = 16

/** Addresses and sizes are bytes of the memory; nothing is checked. Float vectors are filled up with zeros like codes. */
export interface Kernels {
  /**
   * Codes a vector of `bytes` floats: -levels..levels steps for each value, plus `zero`. Into `about`: the length of a
   * step (f32), the squared length of what rounding took away (f32), the sum of all steps (i32).
   */
  encode(vector: number, bytes: number, levels: number, zero: number, code: number, about: number): void

  /**
   * Scores `count` records, and writes those above the bar as pairs (address u32, score f32) into `found`, in the order
   * of the records. `probe` is a code with PROBE_LEVELS around 0, `shift` is ROW_ZERO times the sum of its steps, and
   * `scale` the length of one. Returns the number of pairs.
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

  /** Writes the dot products of a float vector and `count` others, which lie one behind the other, as f32. */
  rank(vectors: number, count: number, floats: number, probe: number, scores: number): void

  /**
   * Writes for each of `count` row codes (a multiple of four, one behind the other) the u32 number of its best centroid,
   * the first of equals. A centroid has a code like a probe's, and in `factors` its shift (i32) and scale (f32).
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
   * Rotates a vector in place, so that lengths grow by the root of `values`, a multiple of 32. In each round (sketch.ts) each
   * value is multiplied by its factor, then the first values, or in every second round the last ones, take the Walsh-Hadamard
   * transform.
   */
  rotate(vector: number, values: number, factors: number): void

  /**
   * Writes the sketch (sketch.ts) of a row's code into its lane of a group, 0..31. `step` is the length of the code's step,
   * `middle` the rotated vector m, and `work` has room for `values` floats.
   */
  sketch(
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
   * Scores the first `rows` sketches of groups, and writes those above the bar as pairs (row u32, score i32) into `found`,
   * in their order; behind the room for pairs of whole groups it needs 64 bytes more. `table` has, for each four values, 16
   * entries of 0..GREATEST_ENTRY: one for each pattern of their bits. A score is ((sum of entries << shift) - bias) *
   * factor / 256 + offset * offsetScale / 128, each rounded, and kept within 16 bits. Returns the number of pairs.
   */
  sieve(
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

/** The kernels over a memory; both are for one thread. */
export async function instantiateKernels(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Promise<Kernels> {
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } })
  return exports as unknown as Kernels
}
