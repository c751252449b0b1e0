/** Callers who add one vector after the other, each to a gallery of its own. */
import { fixed, median, quantile } from '../benchmark.ts'

export interface Acknowledged {
  adds: number
  perSecond: number
  medianMs: number
  p99Ms: number
}

export interface Calling {
  callers: number
  dimension: number
  /** Tells the galleries of one run from those of another. */
  run: string
  /** Adds per second of all callers together; as many as there can be unless given. */
  rate?: number | undefined
  /** Rejects when the vector was not kept. */
  add(gallery: string, id: number, vector: Float32Array): Promise<void>
  /** Asked before each add. */
  isOver(): boolean
}

/** Vectors that are added again and again: they are new by their ids. */
const VECTORS = 512

/** Adds until it is over, and tells of all that was acknowledged. */
export async function callAll({
  callers,
  dimension,
  run,
  rate,
  add,
  isOver,
}: Calling): Promise<Acknowledged> {
  const vectors = Array.from({ length: VECTORS }, () =>
    Float32Array.from({ length: dimension }, () => Math.random() - 0.5),
  )
  const times: number[] = []
  const began = performance.now()
  const call = async (caller: number) => {
    for (let id = 0; !isOver(); id++) {
      const due = rate === undefined ? 0 : began + (1000 * (id * callers + caller)) / rate
      await until(due)
      const asked = performance.now()
      await add(`adds_${run}_${caller}`, id, vectors[(id * callers + caller) % VECTORS]!)
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  const seconds = (performance.now() - began) / 1000
  return {
    adds: times.length,
    perSecond: Math.round(times.length / seconds),
    medianMs: fixed(median(times), 2),
    p99Ms: fixed(quantile(times, 0.99), 2),
  }
}

async function until(due: number): Promise<void> {
  const early = due - performance.now()
  if (early > 0) await new Promise(resolve => setTimeout(resolve, early))
}
