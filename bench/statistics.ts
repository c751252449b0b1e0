/** Statistics and rounding of measurements. */

/** Rounds to this many decimals. */
export const fixed = (value: number, digits = 1): number => Number(value.toFixed(digits))

export const sum = (values: Iterable<number>): number =>
  [...values].reduce((total, value) => total + value, 0)

export const mean = (values: readonly number[]): number => sum(values) / values.length

/** The values may be too many for the arguments of Math.min. */
export const minimum = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Infinity)

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The quantile of the values: `part` 0.99 gives the 99th percentile. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

export interface Times {
  minimumMs: number
  medianMs: number
  p99Ms: number
}

/** Figures of times in milliseconds. */
export const timesOf = (ms: readonly number[], digits = 1): Times => ({
  minimumMs: fixed(minimum(ms), digits),
  medianMs: fixed(median(ms), digits),
  p99Ms: fixed(quantile(ms, 0.99), digits),
})

/** Runs the work, and returns its milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Runs the work, and returns the CPU milliseconds of all threads of this process. */
export async function cpuTimed(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** How often each name occurs. */
export function counts(names: Iterable<string | number>): Record<string, number> {
  const found: Record<string, number> = {}
  for (const name of names) found[name] = (found[name] ?? 0) + 1
  return found
}

/** The items in a random order. `random` returns 0..1. */
export const shuffled = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map(item => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)

/** Picks `count` items at even distances. */
export const evenly = <Item>(items: readonly Item[], count: number): Item[] =>
  items.filter(
    (_, i) => Math.floor((i * count) / items.length) !== Math.floor(((i - 1) * count) / items.length),
  )

/** A small rate: 1.1e-3. */
export const rate = (share: number): string => share.toExponential(1)

/** A normally distributed number with standard deviation 1 (Box and Muller). */
export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
