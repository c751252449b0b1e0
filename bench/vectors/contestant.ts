/** What takes part in the comparison of searches: ours and its peers, over the same vectors. */

/** Candidates that every search is asked for: twice as many as a person has samples. */
export const LIMIT = 10

/** Vectors in memory: `rows` has `count` unit vectors one behind the other, and a row's number is its id. */
export interface HeldFaces {
  dimension: number
  count: number
  rows: Float32Array
}

/** What it took to make what a contestant searches. */
export interface Made {
  /** Of the whole process, all threads; NaN where another process did it. */
  cpuSeconds: number
  wallSeconds: number
  /** Of what was made, where it can be told. */
  megabytes?: number
}

/** A way to search. One and the same peer may have several, which share what it has made. */
export interface Contestant {
  readonly name: string
  readonly made?: Made
  /** Takes part in one round of so many, when it is slow; in each unless given. */
  readonly every?: number
  /** Called before some searches that are not interrupted by others. */
  begin?(): Promise<unknown>
  /** The ids of the closest rows, the best first. */
  search(probe: Float32Array): readonly number[] | Promise<readonly number[]>
}

export interface Peer {
  readonly contestants: readonly Contestant[]
  close?(): Promise<unknown>
}

/** Does it, and tells what it took. */
export async function timed(work: () => unknown): Promise<Made> {
  const began = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - began) / 1000 }
}
