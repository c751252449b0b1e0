/** Searches by turns: the machine's moods change by the second, and should meet all contestants alike. */
import { progress } from '../benchmark.ts'
import type { Contestant } from './contestant.ts'
import { PROBES } from './synthetic.ts'
import { vectorAt } from './truth.ts'

/** Searches of one contestant in a row; the first of them finds the processor's caches full of others' work. */
const IN_A_ROW = 10

/** Rounds between two words of progress. */
const SAID_EVERY = 20

export interface Searched {
  contestant: Contestant
  /** What was found for each probe; undefined where it was not asked. */
  found: (readonly number[] | undefined)[]
  /** Milliseconds of the searches that count. */
  times: number[]
}

/** Asks every contestant for the probes: all of them, or the first so many of each row for those that are slow. */
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
    if (round % SAID_EVERY === 0) progress(`  ${round * IN_A_ROW} of ${PROBES} probes`)
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
