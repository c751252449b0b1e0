/** Callers that add vectors one after the other, each to a gallery of its own. */
import { callers } from '../../load.ts'
import { timed, timesOf } from '../../statistics.ts'

export interface Adding {
  callers: number
  dimension: number
  /** Distinguishes the galleries of runs. */
  run: string
  /** Adds per second of all callers together; 0 for as many as they can. */
  rate: number
}

export interface Added {
  adds: number
  perSecond: number
  medianMs: number
  p99Ms: number
}

/** Number of distinct vectors. They are added repeatedly under new ids. */
const VECTORS = 512

/** Adds until `isOver`. `add` rejects when the vector was not stored. */
export async function addUntil(
  isOver: () => boolean,
  { callers: count, dimension, run, rate }: Adding,
  add: (gallery: string, id: number, vector: Float32Array) => Promise<void>,
): Promise<Added> {
  const vectors = Array.from({ length: VECTORS }, () =>
    Float32Array.from({ length: dimension }, () => Math.random() - 0.5),
  )
  const times: number[] = []
  const addOne = async (caller: number, id: number) => {
    const vector = vectors[(id * count + caller) % VECTORS]!
    times.push(await timed(() => add(`adds_${run}_${caller}`, id, vector)))
  }
  const ms = await timed(() => callers(count, isOver, addOne, rate || undefined))
  const { medianMs, p99Ms } = timesOf(times, 2)
  return { adds: times.length, perSecond: Math.round((1000 * times.length) / ms), medianMs, p99Ms }
}
