/** Interleaves searches of contestants: changes of the machine's load affect all of them equally. */
import { progress } from '../../benchmark.ts'
import type { Contestant } from './contestant.ts'
import { PROBES } from './synthetic.ts'
import { vectorAt } from './truth.ts'

/**
 * Consecutive searches of one contestant. The first is not measured: it finds the processor's caches filled by
 * others.
 */
const IN_A_ROW = 10

/** Rounds between two lines of progress. */
const REPORT_EVERY = 20

export interface Searched {
  contestant: Contestant
  /** Ids found for each probe; undefined for probes that were left out. */
  found: (readonly number[] | undefined)[]
  /** Milliseconds of the measured searches. */
  times: number[]
}

/** Searches the probes with every contestant. Slow contestants take part only in every n-th round. */
export async function searchByTurns(
  contestants: readonly Contestant[],
  probes: Float32Array,
): Promise<Searched[]> {
  const dimension = probes.length / PROBES
  const all: Searched[] = contestants.map(contestant => ({
    contestant,
    found: new Array(PROBES).fill(undefined),
    times: [],
  }))
  for (let round = 0; round < PROBES / IN_A_ROW; round++) {
    if (round % REPORT_EVERY === 0) progress(`  ${round * IN_A_ROW} of ${PROBES} probes`)
    for (let turn = 0; turn < all.length; turn++) {
      const searched = all[(round + turn) % all.length]!
      if (round % (searched.contestant.every ?? 1) === 0) await searchRow(searched, probes, round, dimension)
    }
  }
  return all
}

async function searchRow(
  { contestant, found, times }: Searched,
  probes: Float32Array,
  round: number,
  dimension: number,
): Promise<void> {
  await contestant.begin?.()
  for (let i = 0; i < IN_A_ROW; i++) {
    const probe = round * IN_A_ROW + i
    const vector = vectorAt(probes, probe, dimension)
    const began = performance.now()
    found[probe] = await contestant.search(vector)
    if (i > 0) times.push(performance.now() - began)
  }
}
