/** Kernels in AssemblyScript: codes of vectors, scans of records, ranking and assignment of centroids. ../kernels.ts describes each. */
import { total, totalF32, totals } from './sums'

/** Bytes behind the code in a record; the scale comes first. */
const TRAILER: usize = 16

const MINUS_INFINITY: f32 = -Infinity

/** Adds the products of 16 signed bytes and 16 bytes of 0..127 to `sums`, in groups of four; the same in both builds. */
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

function emit(found: usize, record: usize, score: f32): usize {
  store<u32>(found, <u32>record)
  store<f32>(found, score, 4)
  return found + 8
}

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
  // One row after the other: sequential reads are faster than reads from four rows in turn.
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
