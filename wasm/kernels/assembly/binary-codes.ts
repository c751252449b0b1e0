/** Kernels in AssemblyScript: rotations, binary codes, and scans of binary codes. ../kernels.ts describes each. */
import { totalF32 } from './sums'

/** As in ../kernels.ts. */
const FACTOR_STEPS: f32 = 64
const OFFSET_STEPS: f32 = 254

export function rotate(vector: usize, values: usize, factors: usize): void {
  const end = vector + (values << 2)
  const part: usize = 1 << (31 - clz<u32>(<u32>values))
  const rounds = part < values ? 4 : 1
  for (let round = 0; round < rounds; round++) {
    for (let at = vector; at < end; at += 16, factors += 16) {
      v128.store(at, f32x4.mul(v128.load(at), v128.load(factors)))
    }
    transform(round & 1 ? end - (part << 2) : vector, part)
  }
}

/** Walsh-Hadamard transform in place; `values` is a power of two, 32 or more. */
function transform(vector: usize, values: usize): void {
  const end = vector + (values << 2)
  for (let at = vector; at < end; at += 16) v128.store(at, rotatedFour(v128.load(at)))
  for (let half: usize = 16; half < values << 2; half <<= 1) {
    for (let block = vector; block < end; block += half << 1) {
      for (let at = block; at < block + half; at += 16) {
        const a = v128.load(at)
        const b = v128.load(at + half)
        v128.store(at, f32x4.add(a, b))
        v128.store(at + half, f32x4.sub(a, b))
      }
    }
  }
}

/** Transform of four values: of neighbours, then of pairs. */
function rotatedFour(values: v128): v128 {
  const evens = v128.shuffle<f32>(values, values, 0, 2, 0, 2)
  const odds = v128.shuffle<f32>(values, values, 1, 3, 1, 3)
  // a + b, c + d, a - b, c - d
  const pairs = v128.shuffle<f32>(f32x4.add(evens, odds), f32x4.sub(evens, odds), 0, 1, 4, 5)
  const lefts = v128.shuffle<f32>(pairs, pairs, 0, 2, 0, 2)
  const rights = v128.shuffle<f32>(pairs, pairs, 1, 3, 1, 3)
  return v128.shuffle<f32>(f32x4.add(lefts, rights), f32x4.sub(lefts, rights), 0, 1, 4, 5)
}

export function encodeBinary(
  code: usize,
  bytes: usize,
  zero: i32,
  step: f32,
  rotation: usize,
  middle: usize,
  values: usize,
  work: usize,
  group: usize,
  lane: usize,
): void {
  const end = work + (values << 2)
  const codeEnd = work + (bytes << 2)
  const steps = f32x4.splat(step)
  const zeros = i32x4.splat(zero)
  for (let at = work; at < end; at += 16) {
    if (at < codeEnd) {
      const shorts = i16x8.extend_low_i8x16_u(v128.load32_zero(code))
      const whole = i32x4.sub(i32x4.extend_low_i16x8_u(shorts), zeros)
      v128.store(at, f32x4.mul(f32x4.convert_i32x4_s(whole), steps))
      code += 4
    } else {
      v128.store(at, f32x4.splat(0))
    }
  }
  rotate(work, values, rotation)
  let squares = f32x4.splat(0)
  let lengths = f32x4.splat(0)
  let products = f32x4.splat(0)
  const shift = <u8>((lane >> 4) << 2)
  const others = <u8>(0xf0 >> shift)
  let part = group + (lane & 15)
  for (let at = work; at < end; at += 16) {
    const middles = v128.load(middle)
    const rest = f32x4.sub(v128.load(at), middles)
    const bits = <u8>i32x4.bitmask(f32x4.ge(rest, f32x4.splat(0)))
    store<u8>(part, (load<u8>(part) & others) | (bits << shift))
    squares = f32x4.add(squares, f32x4.mul(rest, rest))
    lengths = f32x4.add(lengths, f32x4.abs(rest))
    products = f32x4.add(products, f32x4.mul(rest, middles))
    part += 16
    middle += 16
  }
  const length = totalF32(lengths)
  const factor: f32 = length > 0 ? nearest<f32>((FACTOR_STEPS * totalF32(squares)) / length) : 0
  const offset: f32 = nearest<f32>((OFFSET_STEPS * totalF32(products)) / <f32>values)
  const factors = group + (values << 2) + lane
  store<u8>(factors, <u8>min<f32>(factor, 255))
  store<i8>(factors, <i8>max<f32>(-127, min<f32>(offset, 127)), 32)
}

/** Reads whole groups, and ignores lanes behind the last row. */
export function prefilter(
  group: usize,
  rows: i32,
  values: usize,
  table: usize,
  shift: i32,
  bias: i32,
  offsetScale: i32,
  bar: i32,
  found: usize,
): i32 {
  const first = found
  // Derived from a parameter: the compiler would recreate a constant in each iteration of the loop.
  const nibbles = i8x16.splat(<i8>(bias | 15) & 15)
  const biases = i16x8.splat(<i16>bias)
  const offsetScales = i16x8.splat(<i16>offsetScale)
  const bars = i16x8.splat(<i16>bar)
  // Scratch space behind the pairs of whole groups.
  const scores = found + ((rows + 31) & ~31) * 8
  for (let row = 0; row < rows; row += 32) {
    const factors = group + (values << 2)
    let a = i16x8.splat(0)
    let b = i16x8.splat(0)
    let c = i16x8.splat(0)
    let d = i16x8.splat(0)
    let entries = table
    while (group < factors) {
      // The sum of eight entries of five bits fits into a byte.
      let low = i8x16.splat(0)
      let high = i8x16.splat(0)
      for (let part = 0; part < 8; part++) {
        const codes = v128.load(group)
        const own = v128.load(entries)
        low = i8x16.add(low, lookedUp(own, v128.and(codes, nibbles)))
        high = i8x16.add(high, lookedUp(own, v128.and(i16x8.shr_u(codes, 4), nibbles)))
        group += 16
        entries += 16
      }
      a = i16x8.add(a, i16x8.extend_low_i8x16_u(low))
      b = i16x8.add(b, i16x8.extend_high_i8x16_u(low))
      c = i16x8.add(c, i16x8.extend_low_i8x16_u(high))
      d = i16x8.add(d, i16x8.extend_high_i8x16_u(high))
    }
    const f = v128.load(factors)
    const g = v128.load(factors, 16)
    const o = v128.load(factors, 32)
    const p = v128.load(factors, 48)
    a = scoresOf(a, shift, biases, i16x8.extend_low_i8x16_u(f), i16x8.extend_low_i8x16_s(o), offsetScales)
    b = scoresOf(b, shift, biases, i16x8.extend_high_i8x16_u(f), i16x8.extend_high_i8x16_s(o), offsetScales)
    c = scoresOf(c, shift, biases, i16x8.extend_low_i8x16_u(g), i16x8.extend_low_i8x16_s(p), offsetScales)
    d = scoresOf(d, shift, biases, i16x8.extend_high_i8x16_u(g), i16x8.extend_high_i8x16_s(p), offsetScales)
    group += 64
    const low = i8x16.narrow_i16x8_s(i16x8.gt_s(a, bars), i16x8.gt_s(b, bars))
    const high = i8x16.narrow_i16x8_s(i16x8.gt_s(c, bars), i16x8.gt_s(d, bars))
    if (!v128.any_true(v128.or(low, high))) continue
    let above: u32 = i8x16.bitmask(low) | (i8x16.bitmask(high) << 16)
    if (rows - row < 32) above &= (1 << (rows - row)) - 1
    v128.store(scores, a)
    v128.store(scores, b, 16)
    v128.store(scores, c, 32)
    v128.store(scores, d, 48)
    found = emitLanes(found, row, above, scores)
  }
  return <i32>((found - first) >> 3)
}

/** Writes pairs of the lanes whose bits are set, and of their scores. Scores are contiguous i16. */
function emitLanes(found: usize, row: i32, lanes: u32, scores: usize): usize {
  while (lanes) {
    const lane = ctz(lanes)
    lanes &= lanes - 1
    store<u32>(found, row + lane)
    store<i32>(found, <i32>load<i16>(scores + (lane << 1)), 4)
    found += 8
  }
  return found
}

/** Entries at these indexes of 0..15. */
function lookedUp(entries: v128, indexes: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i8x16.relaxed_swizzle(entries, indexes)
  return i8x16.swizzle(entries, indexes)
}

/** Computes scores from sums of entries, factors and offsets. */
function scoresOf(sums: v128, shift: i32, biases: v128, factors: v128, offsets: v128, scales: v128): v128 {
  const products = i16x8.q15mulr_sat_s(i16x8.sub(i16x8.shl(sums, shift), biases), i16x8.shl(factors, 7))
  return i16x8.add_sat_s(products, i16x8.q15mulr_sat_s(i16x8.shl(offsets, 8), scales))
}
