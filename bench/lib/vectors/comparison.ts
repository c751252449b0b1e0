/** Figures of search contestants, and a comparison of ours with the best setting of usearch. */
import { fixed, median, minimum, quantile, table } from '../../benchmark.ts'
import type { Made } from './contestant.ts'
import type { Searched } from './rounds.ts'
import { recallOf, type Truth } from './truth.ts'

export interface Times {
  minimumMs: number
  medianMs: number
  p99Ms: number
}

export interface Figures extends Times {
  name: string
  /** Sequential searches per second, from the median. */
  perSecond: number
  r1k: number
  hit: number
  /** Absent for a contestant that would be compared with its own results. */
  recall10?: number
  made?: Made
}

/** Results for one size. All contestants have the same faces. */
export interface Comparison {
  dimension: number
  faces: number
  date: string
  contestants: Figures[]
  /** Ours compared with the fastest usearch of at least the same hit rate; absent when none exists. */
  besideUsearch?: {
    usearch: string
    /** Speed ratios at the medians and at the minima. Other load on the machine affects minima less. */
    timesPerSecond: number
    timesAtMinimum: number
    /** Ratio of build rates, by CPU seconds. */
    timesBuildRate: number
  }
  /** Searches of the indexed shard during a rebuild of its index. */
  whileMaking?: Times
}

/** The exact contestant, and the one that replaces it for probes that it was not given. */
export const REFERENCE = 'plain JS'
export const EXACT = 'exact, shard thread'
export const INDEXED = 'indexed, shard thread'
const ENGINE = 'indexed, our engine'

export function figuresOf(all: readonly Searched[], probes: Float32Array, truth: Truth): Figures[] {
  const answersOf = (name: string) => all.find(({ contestant }) => contestant.name === name)?.found
  const [right, exact] = [answersOf(REFERENCE), answersOf(EXACT)]
  const reference = exact?.map((ids, probe) => right?.[probe] ?? ids) ?? []
  // A contestant's own results cannot verify it.
  const referenceOf = (name: string) => (name === EXACT ? (right ?? []) : reference)
  return all.map(({ contestant: { name, made }, found, times }) => {
    const { r1k, hit } = truth.judge(probes, found)
    const recall = recallOf(found, referenceOf(name))
    return {
      name,
      ...timesOf(times),
      perSecond: fixed(1000 / median(times)),
      r1k: fixed(r1k, 4),
      hit: fixed(hit, 4),
      ...(Number.isFinite(recall) && { recall10: fixed(recall, 4) }),
      ...(made && { made: rounded(made) }),
    }
  })
}

export const timesOf = (times: readonly number[]): Times => ({
  minimumMs: fixed(minimum(times), 3),
  medianMs: fixed(median(times), 3),
  p99Ms: fixed(quantile(times, 0.99), 3),
})

const rounded = ({ cpuSeconds, wallSeconds, megabytes }: Made): Made => ({
  cpuSeconds: fixed(cpuSeconds, 2),
  wallSeconds: fixed(wallSeconds, 2),
  ...(megabytes !== undefined && { megabytes }),
})

/** Compares both without messages between threads, at a hit rate of usearch that is at least ours. */
export function besideUsearch(contestants: readonly Figures[]): Comparison['besideUsearch'] {
  const ours = contestants.find(({ name }) => name === ENGINE)
  const graphs = contestants.filter(({ name, hit }) => name.startsWith('usearch') && hit >= (ours?.hit ?? 2))
  const [best] = graphs.sort((a, b) => a.medianMs - b.medianMs)
  if (!ours?.made || !best?.made) return undefined
  return {
    usearch: best.name,
    timesPerSecond: fixed(best.medianMs / ours.medianMs, 2),
    timesAtMinimum: fixed(best.minimumMs / ours.minimumMs, 2),
    timesBuildRate: fixed(best.made.cpuSeconds / ours.made.cpuSeconds),
  }
}

export function comparisonTable(comparison: Comparison): string {
  const { dimension, faces, contestants, besideUsearch, whileMaking } = comparison
  const head = [
    '',
    'min ms',
    'p50 ms',
    'p99 ms',
    'per s',
    'r1k',
    'hit',
    'recall@10',
    'made: CPU s',
    'wall s',
    'MB',
  ]
  const rows = contestants.map(each => [
    each.name,
    ...[each.minimumMs, each.medianMs, each.p99Ms, each.perSecond, each.r1k, each.hit, each.recall10 ?? ''],
    ...[each.made?.cpuSeconds || '', each.made?.wallSeconds ?? '', each.made?.megabytes ?? ''],
  ])
  const ratio = besideUsearch
    ? `${ENGINE}: ${besideUsearch.timesPerSecond} times the searches per second of ${besideUsearch.usearch}, ` +
      `the quickest of no less hit (${besideUsearch.timesAtMinimum} at the minima); ${besideUsearch.timesBuildRate} times as quickly made, by CPU`
    : 'No setting of usearch took part whose hit is no less than ours.'
  const making = whileMaking
    ? `While its index was made once more, a search of the shard took ${whileMaking.medianMs} ms (p99 ${whileMaking.p99Ms}).`
    : ''
  return `${faces} faces x ${dimension}\n\n${table([head, ...rows])}\n\n${ratio}\n${making}`
}
