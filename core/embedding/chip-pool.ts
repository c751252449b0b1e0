/** Runs networks in worker threads, also on batches of face chips: a network blocks its thread, which must not be the serving thread. */
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { ServiceError } from '../../contract/errors.ts'
import { openFastestRuntime, openRuntime } from '../../wasm/runtime/runtime.node.ts'
import type { Session } from '../../wasm/runtime/runtime.ts'

/** Chips per run of a network. Larger batches are no faster, and other callers wait longer. */
const BATCH = 8

/** Maximum number of waiting chips, several seconds of computation. Calls beyond it fail at once. */
const MOST_WAITING = 1024

/** A task for a worker thread: concatenated chips, and the requested kind of result. */
export interface Batch<Wish> {
  readonly chips: Uint8Array<ArrayBuffer>
  readonly wish: Wish
}

export interface ChipPool<Wish, Result> {
  /** One result per chip, in order. Throws SERVICE_UNAVAILABLE, without processing any chip, when too many chips wait. */
  run(chips: readonly Uint8Array[], wish: Wish): Promise<Result[]>
  /** Finishes all tasks and ends the threads. */
  close(): Promise<void>
}

interface PoolSettings<Wish> {
  /** The worker's file. Its default export takes a Batch and returns one result per chip. */
  worker: URL
  /** Start parameters of each thread. */
  setup: object
  /** Bytes of one chip, by kind of result. */
  chipLength(wish: Wish): number
  /** Kinds of result that each thread computes once before it serves: the first run of a network is the slowest. */
  warmUp: readonly Wish[]
  /** Worker threads; all CPU cores but one unless given. */
  threads?: number
  /** Maximum number of waiting chips. */
  room?: number
}

/** Starts and warms up the threads. Throws when a thread cannot be started. */
export async function openChipPool<Wish, Result>({
  worker,
  setup,
  chipLength,
  warmUp,
  threads = Math.max(1, availableParallelism() - 1),
  room = MOST_WAITING,
}: PoolSettings<Wish>): Promise<ChipPool<Wish, Result>> {
  const blanks = warmUp.map(wish => ({ chips: new Uint8Array(chipLength(wish)), wish }))
  const pool: Threads<Batch<Wish>, Result[]> = await openThreads(worker, setup, threads, blanks)
  let waiting = 0

  const runBatch = (batch: readonly Uint8Array[], wish: Wish) => {
    const chips = join(batch, chipLength(wish))
    return pool.run({ chips, wish }, chips.buffer)
  }

  return {
    async run(chips, wish) {
      if (waiting + chips.length > room) throw new ServiceError('SERVICE_UNAVAILABLE')
      waiting += chips.length
      try {
        return (await Promise.all(batches(chips).map(async batch => runBatch(batch, wish)))).flat()
      } finally {
        waiting -= chips.length
      }
    },
    close: pool.close,
  }
}

interface Threads<Task, Outcome> {
  /** Runs a task on a free thread. The memory moves to the thread. */
  run(task: Task, ...memory: ArrayBuffer[]): Promise<Outcome>
  /**
   * Finishes all tasks and ends the threads. The native runtime ends the process if its thread ends during a run, and `pool.close()`
   * ends threads that still run.
   */
  close(): Promise<void>
}

/** Starts threads with this file and these parameters. Resolves when each has run the first tasks. Rejects when one fails. */
export async function openThreads<Task, Outcome>(
  worker: URL,
  workerData: object,
  threads: number,
  first: readonly Task[],
): Promise<Threads<Task, Outcome>> {
  const pool = new Piscina<Task, Outcome>({
    filename: worker.href,
    workerData,
    minThreads: threads,
    maxThreads: threads,
  })
  // A thread that dies fails its task and is replaced. Without a listener the error would end the process.
  pool.on('error', () => {})
  let idle: Promise<unknown> | undefined
  const run = (task: Task, ...transferList: ArrayBuffer[]) => {
    const outcome = pool.run(task, { transferList })
    idle = Promise.allSettled([idle, outcome]).then(() => {})
    return outcome
  }
  const close = async () => {
    for (let tasks: typeof idle; tasks !== idle; await tasks) tasks = idle
    await pool.destroy()
  }
  try {
    for (const task of first) await Promise.all(Array.from({ length: threads }, () => run(task)))
  } catch (error) {
    await close()
    throw error
  }
  return { run, close }
}

const batches = (chips: readonly Uint8Array[]) =>
  Array.from({ length: Math.ceil(chips.length / BATCH) }, (_, i) => chips.slice(i * BATCH, (i + 1) * BATCH))

/**
 * Copies the chips into one transferable block: a chip is often a view of a whole message, which would otherwise be
 * copied.
 */
function join(chips: readonly Uint8Array[], length: number) {
  const joined = new Uint8Array(chips.length * length)
  for (const [i, chip] of chips.entries()) {
    if (chip.length !== length) throw new Error(`a chip has ${length} bytes, not ${chip.length}`)
    joined.set(chip, i * length)
  }
  return joined
}

/** Loads a network that runs only on the calling thread. `native: false` selects WASM. */
export async function openSession(model: Uint8Array, { native = true } = {}): Promise<Session> {
  return (native ? await openFastestRuntime() : await openRuntime()).session(model)
}
