/** Analyzes frames in worker threads. Cameras take turns; a camera has one frame in analysis at most. */
import { openThreads } from '../../core/embedding/chip-pool.ts'
import { MODULE_EXTENSION } from '../../core/files/program-form.ts'
import type { EmbedderModel } from '../../models/manifest.ts'
import { STANDARD_PACK } from '../../models/packs.ts'
import type { SeenFace } from '../tracker.ts'
import type { FrameSetup, FrameTask } from './frame.worker.ts'

export type Analyzer = Awaited<ReturnType<typeof openAnalyzer>>

/** Starts the threads and resolves when all have loaded the networks. Throws when a file of the pack is missing. */
export async function openAnalyzer(threads: number) {
  const setup: FrameSetup = { pack: { ...STANDARD_PACK, embedder: oneNetwork(STANDARD_PACK.embedder) } }
  const worker = new URL(`./frame.worker${MODULE_EXTENSION}`, import.meta.url)
  const pool = await openThreads<FrameTask, SeenFace[]>(worker, setup, threads, [
    { frame: BLANK, leastSide: 50, wanted: 'all' },
  ])
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
        return task && (await pool.run(task, task.frame.data.buffer as ArrayBuffer))
      } finally {
        release()
      }
    },
    /** Waits for the analyses. They have no limit of time: the native runtime ends the process if its thread ends during a run. */
    close: () => Promise.all(Array.from({ length: threads }, turns)).then(pool.close),
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
const BLANK = { data: new Uint8Array(64 * 64 * 3), width: 64, height: 64 }

/** Lets `count` callers continue at once, in the order of their calls. The result of each ends its turn. */
function openTurns(count: number) {
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
