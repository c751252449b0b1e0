/** Interface of search contestants: ours and peers, over the same vectors. */

/** Candidates requested per search: twice the number of samples per person. */
export const LIMIT = 10

/** Vectors in memory: `rows` contains `count` unit vectors in sequence. The id of a vector is its row number. */
export interface HeldFaces {
  dimension: number
  count: number
  rows: Float32Array
}

/** Cost of building a contestant's data structure. */
export interface Made {
  /** CPU time of all threads of the process; NaN when another process built it. */
  cpuSeconds: number
  wallSeconds: number
  /** Size of the data structure, if known. */
  megabytes?: number
}

/** One way to search. Several contestants may share one peer's data structure. */
export interface Contestant {
  readonly name: string
  readonly made?: Made
  /** Slow contestants take part only in every n-th round. Default: every round. */
  readonly every?: number
  /** Called before a sequence of uninterrupted searches. */
  begin?(): Promise<unknown>
  /** Ids of the closest rows, best first. */
  search(probe: Float32Array): readonly number[] | Promise<readonly number[]>
}

export interface Peer {
  readonly contestants: readonly Contestant[]
  close?(): Promise<unknown>
}

/** Runs the task and measures its cost. */
export async function timed(work: () => unknown): Promise<Made> {
  const began = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - began) / 1000 }
}
