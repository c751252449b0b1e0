/** Pictures of faces through worker threads: a network blocks the thread that runs it, so it is never the one that serves. */
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { ServiceError } from '../contract/errors.ts'

/** Chips that one run of a network takes: more make it no faster, and others wait longer. */
const BATCH = 8

/** Chips that may wait at once, several seconds' work: beyond it callers hear at once that there is no room. */
const MOST_WAITING = 1024

/** What a worker thread is asked: chips that lie one after the other, and what is wanted of them. */
export interface Batch<Wish> {
  readonly chips: Uint8Array<ArrayBuffer>
  readonly wish: Wish
}

export interface ChipPool<Wish, Result> {
  /**
   * One result per chip, in their order. Throws SERVICE_UNAVAILABLE when more chips wait than there is room for;
   * nothing is done for this call then.
   */
  run(chips: readonly Uint8Array[], wish: Wish): Promise<Result[]>
  /** Finishes what is under way and ends the threads. */
  close(): Promise<void>
}

export interface PoolSettings<Wish> {
  /** The worker's file: its default export takes a Batch and gives one result per chip. */
  worker: URL
  /** What each thread is started with. */
  setup: object
  /** Bytes of one chip, for each wish. */
  chipLength(wish: Wish): number
  /** Asked of every thread once, before anyone else asks: the first run of a network is its slowest. */
  warmUp: readonly Wish[]
  /** Worker threads; all cores but one unless given. */
  threads?: number | undefined
  /** Chips that may wait at once. */
  room?: number | undefined
}

/** Starts the threads and resolves when each has answered once. Throws when one can't be started. */
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
  // A thread that dies fails its own batch and is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  let waiting = 0

  const runBatch = (some: readonly Uint8Array[], wish: Wish): Promise<Result[]> => {
    const chips = join(some, chipLength(wish))
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
        return (await Promise.all(batches(chips).map(async some => runBatch(some, wish)))).flat()
      } finally {
        waiting -= chips.length
      }
    },
    close: () => pool.close(),
  }
}

const batches = (chips: readonly Uint8Array[]): (readonly Uint8Array[])[] =>
  Array.from({ length: Math.ceil(chips.length / BATCH) }, (_, i) => chips.slice(i * BATCH, (i + 1) * BATCH))

/** One block to hand over: a chip is often a view of a whole message, which would otherwise be copied with it. */
function join(chips: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chips.length * length)
  for (const [i, chip] of chips.entries()) {
    if (chip.length !== length) throw new Error(`a chip has ${length} bytes, not ${chip.length}`)
    joined.set(chip, i * length)
  }
  return joined
}
