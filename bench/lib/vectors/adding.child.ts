/** A process of callers that add to a core over HTTP, each to its own gallery, until they are stopped or their time ends. */
import { galleryPath } from '#contract/store-interface.ts'
import { childTask } from '../../child.ts'
import { after, callers, cheapClient } from '../../load.ts'
import { timed, timesOf } from '../../statistics.ts'

export interface AddingTask {
  core: string
  callers: number
  dimension: number
  /** Distinguishes the galleries of runs. */
  run: string
  /** Adds per second of all callers together; 0 for as many as they can. */
  rate: number
  /** Until they are stopped when absent. */
  seconds?: number
}

export interface Added {
  adds: number
  perSecond: number
  medianMs: number
  p99Ms: number
}

/** Number of distinct vectors. They are added repeatedly under new ids. */
const VECTORS = 512

const { given, stopped, finish } = childTask<AddingTask>()
const { callers: count, dimension, run, rate, seconds = Number.POSITIVE_INFINITY } = given
const ask = cheapClient(given.core)
const vectors = Array.from({ length: VECTORS }, () =>
  Buffer.from(Float32Array.from({ length: dimension }, () => Math.random() - 0.5).buffer),
)
const times: number[] = []
const addOne = async (caller: number, id: number) => {
  const { status, ms } = await ask({
    method: 'POST',
    path: galleryPath(`adds_${run}_${caller}`, 'add', id),
    headers: { 'content-type': 'application/octet-stream' },
    body: vectors[(id * count + caller) % VECTORS]!,
  })
  if (status !== 200) throw new Error(`An add was answered by ${status}.`)
  times.push(ms)
}
const isOver = after(1000 * seconds)
const ms = await timed(() => callers(count, () => stopped.aborted || isOver(), addOne, rate || undefined))
const { medianMs, p99Ms } = timesOf(times, 2)
finish({ adds: times.length, perSecond: Math.round((1000 * times.length) / ms), medianMs, p99Ms })
