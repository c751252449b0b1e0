/** Kernels in AssemblyScript: views of pictures, and pictures of half the size. ../kernels.ts describes each. */

export function sample(
  source: usize,
  width: i32,
  height: i32,
  across: f64,
  down: f64,
  a: f64,
  b: f64,
  c: f64,
  d: f64,
  e: f64,
  f: f64,
  target: usize,
  columns: i32,
  rows: i32,
  outside: i32,
): void {
  const stride: usize = 3 * width
  const rightmost = (<i64>(width - 1)) << FRACTION_BITS
  const lowest = (<i64>(height - 1)) << FRACTION_BITS
  const end = <i64>(across * ONE)
  const bottom = <i64>(down * ONE)
  const stepX = <i64>(a * ONE)
  const stepY = <i64>(d * ONE)
  for (let row = 0; row < rows; row++) {
    let x = <i64>((a * 0.5 + b * (<f64>row + 0.5) + c) * ONE)
    let y = <i64>((d * 0.5 + e * (<f64>row + 0.5) + f) * ONE)
    for (let column = 0; column < columns; column++, target += 3, x += stepX, y += stepY) {
      if (outside >= 0 && (x < 0 || x >= end || y < 0 || y >= bottom)) {
        store<u16>(target, <u16>(outside | (outside << 8)))
        store<u8>(target, <u8>outside, 2)
        continue
      }
      const left = within(x - HALF, rightmost)
      const top = within(y - HALF, lowest)
      const upper = source + <usize>(top >> FRACTION_BITS) * stride + <usize>(3 * (left >> FRACTION_BITS))
      const lower = upper + (top < lowest ? stride : 0)
      const pair = between(pixelPair(upper), pixelPair(lower), top)
      const pixel = between(
        pair,
        i8x16.shuffle(pair, pair, 6, 7, 8, 9, 10, 11, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1),
        left,
      )
      storePixel(target, i16x8.shr_u(i16x8.add(pixel, i16x8.splat(HALF_LEVEL)), PRECISION_BITS))
    }
  }
}

/** Coordinates have a fraction of 32 bits, and the numbers of a pixel one of 6 bits. */
const FRACTION_BITS = 32
const ONE: f64 = 4_294_967_296
const HALF: i64 = 2_147_483_648
const PRECISION_BITS = 6
const HALF_LEVEL: i16 = 32

function within(value: i64, most: i64): i64 {
  return value < 0 ? 0 : value > most ? most : value
}

/** Two neighbouring pixels as 16-bit numbers, and two lanes that belong to the next pixel. */
function pixelPair(at: usize): v128 {
  return i16x8.shl(i16x8.extend_low_i8x16_u(v128.load64_zero(at)), PRECISION_BITS)
}

/** The numbers at the fraction of a coordinate between two vectors. */
function between(first: v128, second: v128, coordinate: i64): v128 {
  const share = i16x8.splat(<i16>(<u32>coordinate >> 17))
  return i16x8.add(first, i16x8.q15mulr_sat_s(i16x8.sub(second, first), share))
}

function storePixel(target: usize, numbers: v128): void {
  const bytes = i32x4.extract_lane(i8x16.narrow_i16x8_u(numbers, numbers), 0)
  store<u16>(target, <u16>bytes)
  store<u8>(target, <u8>(bytes >> 16), 2)
}

export function halve(source: usize, width: i32, height: i32, target: usize): void {
  const stride: usize = 3 * width
  for (let y = 0; y < height; y += 2) {
    let upper = source + <usize>y * stride
    let lower = upper + (y + 1 < height ? stride : 0)
    for (let x = 0; x < width; x += 2, upper += 6, lower += 6, target += 3) {
      const sums = i16x8.add(bytePair(upper), bytePair(lower))
      // The last column of an odd width stands for two.
      const others =
        x + 1 < width ? i8x16.shuffle(sums, sums, 6, 7, 8, 9, 10, 11, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1) : sums
      storePixel(target, i16x8.shr_u(i16x8.add(i16x8.add(sums, others), i16x8.splat(2)), 2))
    }
  }
}

function bytePair(at: usize): v128 {
  return i16x8.extend_low_i8x16_u(v128.load64_zero(at))
}
