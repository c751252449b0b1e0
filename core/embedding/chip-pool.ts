/** Runs networks on face chips in worker threads: a network blocks its thread, which must not be the serving thread. */
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
  /** Finishes running tasks and ends the threads. */
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
  const pool = new Piscina<Batch<Wish>, Result[]>({
    filename: worker.href,
    workerData: setup,
    minThreads: threads,
    maxThreads: threads,
  })
  // A thread that dies fails its batch and is replaced. Without a listener the error would end the process.
  pool.on('error', () => {})
  let waiting = 0

  const runBatch = (batch: readonly Uint8Array[], wish: Wish): Promise<Result[]> => {
    const chips = join(batch, chipLength(wish))
    return pool.run({ chips, wish }, { transferList: [chips.buffer] })
  }

  try {
    for (const wish of warmUp) {
      const blank = new Uint8Array(chipLength(wish))
      await Promise.all(Array.from({ length: threads }, () => runBatch([blank], wish)))
    }
  } catch (error) {
    await pool.destroy()
    throw error
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
    close: () => pool.close(),
  }
}

const batches = (chips: readonly Uint8Array[]): (readonly Uint8Array[])[] =>
  Array.from({ length: Math.ceil(chips.length / BATCH) }, (_, i) => chips.slice(i * BATCH, (i + 1) * BATCH))

/**
 * Copies the chips into one transferable block: a chip is often a view of a whole message, which would otherwise be
 * copied.
 */
function join(chips: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
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
