/** Callers that add vectors sequentially, each to its own gallery. */
import { fixed, median, quantile } from '../../benchmark.ts'

export interface Acknowledged {
  adds: number
  perSecond: number
  medianMs: number
  p99Ms: number
}

export interface Calling {
  callers: number
  dimension: number
  /** Distinguishes the galleries of runs. */
  run: string
  /** Adds per second of all callers together. Unlimited when absent. */
  rate?: number | undefined
  /** Rejects when the vector was not stored. */
  add(gallery: string, id: number, vector: Float32Array): Promise<void>
  /** Checked before each add. */
  isOver(): boolean
}

/** Number of distinct vectors. They are added repeatedly under new ids. */
const VECTORS = 512

/** Adds until `isOver` returns true. Returns figures of all acknowledged adds. */
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
      const sent = performance.now()
      await add(`adds_${run}_${caller}`, id, vectors[(id * callers + caller) % VECTORS]!)
      times.push(performance.now() - sent)
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
