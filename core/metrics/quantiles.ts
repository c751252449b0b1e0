/** Quantiles of durations, estimated from the buckets of a histogram. */

/** Upper bound of a bucket, and number of observations up to it. The last bound is infinite. */
export type Bucket = readonly [bound: number, count: number]

/**
 * The quantile `q`, 0..1, by linear interpolation within its bucket, as `histogram_quantile` of Prometheus. The last finite
 * bound for observations above it; undefined without observations. Buckets have rising bounds.
 */
export function quantileOf(buckets: readonly Bucket[], q: number): number | undefined {
  const total = buckets.at(-1)?.[1] ?? 0
  if (total === 0) return undefined
  const rank = q * total
  const i = buckets.findIndex(([, count]) => count >= rank)
  const [below, before] = buckets[i - 1] ?? [0, 0]
  const [bound, count] = buckets[i]!
  if (!Number.isFinite(bound) || count === before) return below
  return below + ((rank - before) / (count - before)) * (bound - below)
}
