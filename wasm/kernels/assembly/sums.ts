/** Sums of the lanes of vectors. */

/** The four lane sums of four vectors. */
export function totals(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7))
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7))
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7))
}

export function total(a: v128): i32 {
  return (
    i32x4.extract_lane(a, 0) +
    i32x4.extract_lane(a, 1) +
    (i32x4.extract_lane(a, 2) + i32x4.extract_lane(a, 3))
  )
}

export function totalF32(a: v128): f32 {
  return (
    f32x4.extract_lane(a, 0) +
    f32x4.extract_lane(a, 1) +
    (f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3))
  )
}
