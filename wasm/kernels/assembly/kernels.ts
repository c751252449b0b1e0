/** The kernels in AssemblyScript: codes and sketches of vectors, scans of both, ranking and assignment of centroids. See ../kernels.ts. */

/** Bytes behind the code in a record; the scale comes first. */
const TRAILER: usize = 16

const MINUS_INFINITY: f32 = -Infinity

/** What a factor and an offset of a sketch are told in: see ../sketch.ts. */
const FACTOR_STEPS: f32 = 64
const OFFSET_STEPS: f32 = 254

/** `sums` and the products of 16 signed bytes and 16 bytes of 0..127, four by four: the same in both builds. */
function dot16(signed: usize, offset: usize, sums: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) {
    return i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(signed), v128.load(offset), sums)
  }
  const low = i32x4.dot_i16x8_s(v128.load_ext<i8>(signed), v128.load_ext<i8>(offset))
  const high = i32x4.dot_i16x8_s(v128.load_ext<i8>(signed, 8), v128.load_ext<i8>(offset, 8))
  return i32x4.add(i32x4.add(sums, low), high)
}

function dot(signed: usize, offset: usize, bytes: usize): v128 {
  const end = signed + bytes
  let sums = i32x4.splat(0)
  while (signed < end) {
    sums = dot16(signed, offset, sums)
    signed += 16
    offset += 16
  }
  return sums
}

/** The four totals of four times four sums. */
function totals(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7))
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7))
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7))
}

function total(a: v128): i32 {
  return (
    i32x4.extract_lane(a, 0) +
    i32x4.extract_lane(a, 1) +
    (i32x4.extract_lane(a, 2) + i32x4.extract_lane(a, 3))
  )
}

function totalF32(a: v128): f32 {
  return (
    f32x4.extract_lane(a, 0) +
    f32x4.extract_lane(a, 1) +
    (f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3))
  )
}

function emit(found: usize, record: usize, score: f32): usize {
  store<u32>(found, <u32>record)
  store<f32>(found, score, 4)
  return found + 8
}

/** Records whose score is above the bar, in order: (record u32, score f32) into `found`. Returns how many. */
export function scan(
  record: usize,
  count: i32,
  bytes: usize,
  probe: usize,
  shift: i32,
  scale: f32,
  bar: f32,
  found: usize,
): i32 {
  const stride = bytes + TRAILER
  const first = found
  const shifts = i32x4.splat(shift)
  const scales = f32x4.splat(scale)
  const bars = f32x4.splat(bar)
  const end = record + <usize>count * stride
  const fours = record + <usize>(count & ~3) * stride
  // One row after the other: the memory is read faster in sequence than in four places by turns.
  while (record < fours) {
    const second = record + stride
    const third = second + stride
    const fourth = third + stride
    const sums = totals(
      dot(probe, record, bytes),
      dot(probe, second, bytes),
      dot(probe, third, bytes),
      dot(probe, fourth, bytes),
    )
    let rowScales = v128.load32_zero(record + bytes)
    rowScales = v128.load_lane<f32>(second + bytes, rowScales, 1)
    rowScales = v128.load_lane<f32>(third + bytes, rowScales, 2)
    rowScales = v128.load_lane<f32>(fourth + bytes, rowScales, 3)
    const scores = f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(i32x4.sub(sums, shifts)), scales), rowScales)
    const above = f32x4.gt(scores, bars)
    if (v128.any_true(above)) {
      if (i32x4.extract_lane(above, 0)) found = emit(found, record, f32x4.extract_lane(scores, 0))
      if (i32x4.extract_lane(above, 1)) found = emit(found, second, f32x4.extract_lane(scores, 1))
      if (i32x4.extract_lane(above, 2)) found = emit(found, third, f32x4.extract_lane(scores, 2))
      if (i32x4.extract_lane(above, 3)) found = emit(found, fourth, f32x4.extract_lane(scores, 3))
    }
    record = fourth + stride
  }
  while (record < end) {
    const score = <f32>(total(dot(probe, record, bytes)) - shift) * scale * load<f32>(record + bytes)
    if (score > bar) found = emit(found, record, score)
    record += stride
  }
  return <i32>((found - first) >> 3)
}

/**
 * The code of a vector of `bytes` floats: each rounded to -levels..levels steps, `offset` added, one byte a step. Into
 * `about`: the length of a step (f32), the squared length of what rounding took away (f32), the sum of the steps (i32).
 */
export function encode(
  vector: usize,
  bytes: usize,
  levels: f32,
  offset: i32,
  code: usize,
  about: usize,
): void {
  const end = vector + (bytes << 2)
  let greatest = f32x4.splat(0)
  for (let at = vector; at < end; at += 16) greatest = f32x4.max(greatest, f32x4.abs(v128.load(at)))
  const largest = max(
    max(f32x4.extract_lane(greatest, 0), f32x4.extract_lane(greatest, 1)),
    max(f32x4.extract_lane(greatest, 2), f32x4.extract_lane(greatest, 3)),
  )
  const step: f32 = largest / levels
  const steps = f32x4.splat(step > 0 ? 1 / step : 0)
  const offsets = i32x4.splat(offset)
  let sums = i32x4.splat(0)
  let residuals = f32x4.splat(0)
  for (let at = vector; at < end; at += 4 * 4) {
    const values = v128.load(at)
    const rounded = f32x4.nearest(f32x4.mul(values, steps))
    const residual = f32x4.sub(values, f32x4.mul(rounded, f32x4.splat(step)))
    residuals = f32x4.add(residuals, f32x4.mul(residual, residual))
    const whole = i32x4.trunc_sat_f32x4_s(rounded)
    sums = i32x4.add(sums, whole)
    const shifted = i32x4.add(whole, offsets)
    const shorts = i16x8.narrow_i32x4_s(shifted, shifted)
    store<i32>(code, i32x4.extract_lane(i8x16.narrow_i16x8_s(shorts, shorts), 0))
    code += 4
  }
  store<f32>(about, step)
  store<f32>(about, totalF32(residuals), 4)
  store<i32>(about, total(sums), 8)
}

/** The dot products of a probe and `count` vectors that lie one behind the other, all of `floats` floats, into `scores`. */
export function rank(vectors: usize, count: i32, floats: usize, probe: usize, scores: usize): void {
  const end = probe + (floats << 2)
  for (let i = 0; i < count; i++) {
    let even = f32x4.splat(0)
    let odd = f32x4.splat(0)
    let at = probe
    while (at < end) {
      even = f32x4.add(even, f32x4.mul(v128.load(at), v128.load(vectors)))
      odd = f32x4.add(odd, f32x4.mul(v128.load(at, 16), v128.load(vectors, 16)))
      at += 32
      vectors += 32
    }
    store<f32>(scores, totalF32(f32x4.add(even, odd)))
    scores += 4
  }
}

/**
 * For `count` codes of rows (a multiple of four, one behind the other): the number of the centroid with the greatest
 * score, u32 into `best`; the first of equals. Centroids: codes one behind the other, and (shift i32, scale f32) of each.
 */
export function assign(
  rows: usize,
  count: i32,
  bytes: usize,
  centroids: usize,
  factors: usize,
  lists: i32,
  best: usize,
): void {
  for (let i = 0; i < count; i += 4) {
    const second = rows + bytes
    const third = second + bytes
    const fourth = third + bytes
    let bestScores = f32x4.splat(MINUS_INFINITY)
    let bestLists = i32x4.splat(0)
    let centroid = centroids
    let factor = factors
    for (let list = 0; list < lists; list++) {
      let a = i32x4.splat(0)
      let b = i32x4.splat(0)
      let c = i32x4.splat(0)
      let d = i32x4.splat(0)
      for (let at: usize = 0; at < bytes; at += 16) {
        a = dot16(centroid + at, rows + at, a)
        b = dot16(centroid + at, second + at, b)
        c = dot16(centroid + at, third + at, c)
        d = dot16(centroid + at, fourth + at, d)
      }
      const sums = i32x4.sub(totals(a, b, c, d), v128.load32_splat(factor))
      const scores = f32x4.mul(f32x4.convert_i32x4_s(sums), v128.load32_splat(factor, 4))
      const better = f32x4.gt(scores, bestScores)
      bestScores = v128.bitselect(scores, bestScores, better)
      bestLists = v128.bitselect(i32x4.splat(list), bestLists, better)
      centroid += bytes
      factor += 8
    }
    v128.store(best, bestLists)
    best += 16
    rows = fourth + bytes
  }
}

/** In place: each value times its sign, then the Walsh-Hadamard transform. `values` is a power of two, 32 or more. */
export function rotate(vector: usize, values: usize, signs: usize): void {
  const end = vector + (values << 2)
  for (let at = vector, sign = signs; at < end; at += 16, sign += 16) {
    v128.store(at, f32x4.mul(v128.load(at), v128.load(sign)))
  }
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

/** The transform of four values: of neighbours, then of pairs. */
function rotatedFour(values: v128): v128 {
  const evens = v128.shuffle<f32>(values, values, 0, 2, 0, 2)
  const odds = v128.shuffle<f32>(values, values, 1, 3, 1, 3)
  // a + b, c + d, a - b, c - d
  const pairs = v128.shuffle<f32>(f32x4.add(evens, odds), f32x4.sub(evens, odds), 0, 1, 4, 5)
  const lefts = v128.shuffle<f32>(pairs, pairs, 0, 2, 0, 2)
  const rights = v128.shuffle<f32>(pairs, pairs, 1, 3, 1, 3)
  return v128.shuffle<f32>(f32x4.add(lefts, rights), f32x4.sub(lefts, rights), 0, 1, 4, 5)
}

/**
 * Writes the sketch of a row's code into its lane of a group: see ../sketch.ts. `middle` is rotated as the row is;
 * `work` has room for `values` floats.
 */
export function sketch(
  code: usize,
  bytes: usize,
  zero: i32,
  step: f32,
  signs: usize,
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
  rotate(work, values, signs)
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

/**
 * Rows of groups of sketches whose score is above the bar, in order: (row u32, score i32) into `found`. Returns how many.
 * Reads whole groups, and passes over what is behind the last row.
 */
export function sieve(
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
  // Out of a parameter: as a constant it would be made anew in each round of the loop.
  const nibbles = i8x16.splat(<i8>(bias | 15) & 15)
  const biases = i16x8.splat(<i16>bias)
  const offsetScales = i16x8.splat(<i16>offsetScale)
  const bars = i16x8.splat(<i16>bar)
  // Behind the pairs of whole groups.
  const scores = found + ((rows + 31) & ~31) * 8
  for (let row = 0; row < rows; row += 32) {
    const factors = group + (values << 2)
    let a = i16x8.splat(0)
    let b = i16x8.splat(0)
    let c = i16x8.splat(0)
    let d = i16x8.splat(0)
    let entries = table
    while (group < factors) {
      // Eight entries of five bits each fit into a byte.
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
    a = sieved(a, shift, biases, i16x8.extend_low_i8x16_u(f), i16x8.extend_low_i8x16_s(o), offsetScales)
    b = sieved(b, shift, biases, i16x8.extend_high_i8x16_u(f), i16x8.extend_high_i8x16_s(o), offsetScales)
    c = sieved(c, shift, biases, i16x8.extend_low_i8x16_u(g), i16x8.extend_low_i8x16_s(p), offsetScales)
    d = sieved(d, shift, biases, i16x8.extend_high_i8x16_u(g), i16x8.extend_high_i8x16_s(p), offsetScales)
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

/** Pairs of the lanes whose bits are set, with their scores, i16 one behind the other. */
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

/** The entries that these indexes of 0..15 name. */
function lookedUp(entries: v128, indexes: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i8x16.relaxed_swizzle(entries, indexes)
  return i8x16.swizzle(entries, indexes)
}

/** Scores out of sums of entries, factors and offsets. */
function sieved(sums: v128, shift: i32, biases: v128, factors: v128, offsets: v128, scales: v128): v128 {
  const products = i16x8.q15mulr_sat_s(i16x8.sub(i16x8.shl(sums, shift), biases), i16x8.shl(factors, 7))
  return i16x8.add_sat_s(products, i16x8.q15mulr_sat_s(i16x8.shl(offsets, 8), scales))
}
