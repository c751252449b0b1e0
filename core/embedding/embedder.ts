/** Chips to embeddings on worker threads: the network blocks the thread that runs it, so it is never the one that serves. */
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { type EmbedderModel, STANDARD } from '../../models/manifest.ts'
import { ServiceError } from '../contract/errors.ts'
import { chipLength } from './embed-batch.ts'
import type { WorkerSetup } from './worker.ts'

/** Chips that one run of the network takes: more make it no faster, and others wait longer. */
const BATCH = 8

/** Chips that may wait at once, several seconds' work: beyond it callers hear at once that there is no room. */
const MOST_WAITING = 1024

export interface Embedder {
  /**
   * One embedding per chip, in their order: equal chips give equal embeddings. Throws SERVICE_UNAVAILABLE when more
   * chips wait than there is room for; nothing of this call is embedded then.
   */
  embed(chips: readonly Uint8Array[]): Promise<Float32Array[]>
  /** Finishes what is under way and ends the threads. */
  close(): Promise<void>
}

export interface EmbedderOptions {
  model?: EmbedderModel
  /** Worker threads; all cores but one unless given. */
  threads?: number
  /** False: run in WASM even where there is a native binary. */
  native?: boolean
  /** Chips that may wait at once. */
  room?: number
}

/** Starts the threads and resolves when each has loaded the network. Throws when the model is not built. */
export async function openEmbedder({
  model = STANDARD.embedder,
  threads = Math.max(1, availableParallelism() - 1),
  native = true,
  room = MOST_WAITING,
}: EmbedderOptions = {}): Promise<Embedder> {
  const setup: WorkerSetup = { model, native }
  const filename = new URL('worker.ts', import.meta.url).href
  const pool = new Piscina({ filename, workerData: setup, minThreads: threads, maxThreads: threads })
  // A thread that dies fails its own batch and is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  const length = chipLength(model)
  let waiting = 0

  const embedJoined = async (chips: readonly Uint8Array[]): Promise<Float32Array[]> => {
    const joined = join(chips, length)
    const vectors: Float32Array = await pool.run(joined, { transferList: [joined.buffer] })
    return chips.map((_, i) => vectors.slice(i * model.dimension, (i + 1) * model.dimension))
  }

  try {
    // The first run of a network is its slowest: better now than for the first caller.
    await Promise.all(Array.from({ length: threads }, () => embedJoined([new Uint8Array(length)])))
  } catch (error) {
    await pool.destroy()
    throw error
  }

  return {
    async embed(chips) {
      if (waiting + chips.length > room) throw new ServiceError('SERVICE_UNAVAILABLE')
      waiting += chips.length
      try {
        return (await Promise.all(batches(chips).map(embedJoined))).flat()
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
