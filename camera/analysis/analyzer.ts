/** Analyzes frames in worker threads. Cameras take turns; a camera has one frame in analysis at most. */
import { Piscina } from 'piscina'
import { MODULE_EXTENSION } from '../../core/files/program-form.ts'
import type { EmbedderModel } from '../../models/manifest.ts'
import { STANDARD_PACK } from '../../models/packs.ts'
import type { SeenFace } from '../tracker.ts'
import type { FrameSetup, FrameTask } from './frame.worker.ts'

export type Analyzer = Awaited<ReturnType<typeof openAnalyzer>>

/** Starts the threads and resolves when all have loaded the networks. Throws when a file of the pack is missing. */
export async function openAnalyzer(threads: number) {
  const setup: FrameSetup = { pack: { ...STANDARD_PACK, embedder: oneNetwork(STANDARD_PACK.embedder) } }
  const pool = new Piscina<FrameTask, SeenFace[]>({
    filename: new URL(`./frame.worker${MODULE_EXTENSION}`, import.meta.url).href,
    workerData: setup,
    minThreads: threads,
    maxThreads: threads,
  })
  // A thread that dies fails its frame and is replaced. Without a listener the error would end the process.
  pool.on('error', () => {})
  const run = (task: FrameTask) => pool.run(task, { transferList: [task.frame.data.buffer as ArrayBuffer] })
  try {
    // Without a time limit: a busy machine may take long to load the networks.
    await Promise.all(
      Array.from({ length: threads }, () => run({ frame: blank(), leastSide: 50, wanted: 'all' })),
    )
  } catch (error) {
    await pool.destroy()
    throw error
  }
  const turns = openTurns(threads)
  return {
    /**
     * Waits for a free thread, then asks `frameOf` for the frame: it may be newer than at the call. Undefined if `frameOf` has none.
     * Rejects when the analysis fails. The frame's memory moves to the thread.
     */
    async analyze(frameOf: () => FrameTask | undefined) {
      const release = await turns()
      try {
        const task = frameOf()
        return task && (await run(task))
      } finally {
        release()
      }
    },
    /** Waits for the analyses: the native runtime ends the process if its thread ends during a run. Analyses have no limit, for the same reason. */
    close: () => pool.close(),
  }
}

/** The embedder with its first network alone: enough to tell apart the few people in front of a camera, in half the time. */
const oneNetwork = ({
  networks,
  projection: _,
  clearness: __,
  ...embedder
}: EmbedderModel): EmbedderModel => ({
  ...embedder,
  networks: networks.slice(0, 1),
  dimension: networks[0]!.dimension,
})

/** The first run of a network is the slowest. */
const blank = () => ({ data: new Uint8Array(64 * 64 * 3), width: 64, height: 64 })

/** Lets `count` callers continue at once, in the order of their calls. The result of each ends its turn. */
function openTurns(count: number): () => Promise<() => void> {
  const waiting: (() => void)[] = []
  let free = count
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return async () => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    return release
  }
}
