/** Looks at photos that do not fit the edge: in a worker thread, one at a time, within limits of memory and time. */
import { Piscina } from 'piscina'
import { type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Selection } from '../contract/model/selector.ts'
import type { AnalyzerOutcome, AnalyzerSetup, AnalyzerTask } from './analyze.worker.ts'

export interface CoreAnalyzer {
  /**
   * The sighting of wasm/pipeline.ts, or its errors. Throws BAD_IMAGE also when the photo takes too much time or memory,
   * and SERVICE_UNAVAILABLE when too many others wait.
   */
  look(bytes: Uint8Array, selection: Selection | undefined, param: string): Promise<PhotoAnalysis>
  close(): Promise<void>
}

export interface AnalyzerLimits {
  /** Photos that may be in hand: the one that is looked at, and those that wait for it. */
  photos: number
  /** For one look, from its turn on; with the wait, below LIMITS.coreAnswerMs for all but a queue of hard cases. */
  milliseconds: number
}

/** How a photo brought the decoder down: by an error that it can't recover from, by its memory, or by its time. */
export type AnalyzerCrash = 'error' | 'memory' | 'time'

export interface AnalyzerOptions {
  pack?: PlacedPack
  limits?: AnalyzerLimits
  /** Is told of each photo that brought the decoder down, and how many there were. The next one gets a new decoder. */
  onFall?: (how: AnalyzerCrash, count: number) => void
}

const STANDARD_LIMITS: AnalyzerLimits = { photos: 4, milliseconds: 12_000 }

/** Of the thread's JavaScript heap; what the decoders take is bounded by their budget. */
const HEAP_MEGABYTES = 512

/** An unused thread ends after this, and gives its memory back. */
const IDLE_MS = 60_000

const TOO_HARD = 'The photo takes too long to decode. A smaller or plainer copy of it will do.'

export function openAnalyzer({
  pack = STANDARD_PACK,
  limits = STANDARD_LIMITS,
  onFall = () => {},
}: AnalyzerOptions = {}): CoreAnalyzer {
  const setup: AnalyzerSetup = { pack }
  const thread = new Piscina<AnalyzerTask, AnalyzerOutcome>({
    filename: new URL('./analyze.worker.ts', import.meta.url).href,
    workerData: setup,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  })
  let inHand = 0
  let turn: Promise<unknown> = Promise.resolve()
  let falls = 0
  const fell = (how: AnalyzerCrash) => onFall(how, ++falls)

  /** The clock starts with the look and not with the wait; its end ends the thread, and the next look gets a new one. */
  async function lookInThread(task: AnalyzerTask): Promise<AnalyzerOutcome> {
    const signal = AbortSignal.timeout(limits.milliseconds)
    try {
      const outcome = await thread.run(task, { signal, transferList: [task.bytes.buffer as ArrayBuffer] })
      if ('fell' in outcome && outcome.fell) fell('error')
      return outcome
    } catch (cause) {
      const outOfMemory =
        cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
      if (!signal.aborted && !outOfMemory) throw cause
      fell(outOfMemory ? 'memory' : 'time')
      throw new ServiceError('BAD_IMAGE', { param: task.param, reason: TOO_HARD }, { cause })
    }
  }

  return {
    async look(bytes, selection, param) {
      if (inHand >= limits.photos) throw new ServiceError('SERVICE_UNAVAILABLE')
      inHand++
      try {
        const task = { bytes: bytes.slice(), selection, param }
        const outcome = turn.then(() => lookInThread(task))
        turn = outcome.catch(() => {})
        return sightingOf(await outcome)
      } finally {
        inHand--
      }
    },

    close: () => thread.destroy(),
  }
}

function sightingOf(outcome: AnalyzerOutcome): PhotoAnalysis {
  if ('refusal' in outcome) throw new ServiceError(outcome.refusal.code, outcome.refusal.detail)
  return outcome.sighting
}
