/** Figures of search contestants, and a comparison of ours with the best setting of usearch. */
import { fixed, median, type Times, timesOf } from '../../statistics.ts'
import { EXACT, INDEXED, type Made, REFERENCE, type Searched } from './contestants.ts'
import { recallOf, type Truth } from './truth.ts'

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
      ...timesOf(times, 3),
      perSecond: fixed(1000 / median(times)),
      r1k: fixed(r1k, 4),
      hit: fixed(hit, 4),
      ...(Number.isFinite(recall) && { recall10: fixed(recall, 4) }),
      ...(made && {
        made: { ...made, cpuSeconds: fixed(made.cpuSeconds, 2), wallSeconds: fixed(made.wallSeconds, 2) },
      }),
    }
  })
}

/** Compares our indexed shard with usearch at a hit rate that is at least ours. */
export function besideUsearch(contestants: readonly Figures[]): Comparison['besideUsearch'] {
  const ours = contestants.find(({ name }) => name === INDEXED)
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
