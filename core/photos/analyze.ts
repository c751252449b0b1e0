/** Analyzes photos that do not fit the edge, in a worker thread, one at a time, within memory and time limits. */
import { Piscina } from 'piscina'
import { environment } from '../../contract/environment.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Selection } from '../../contract/model/photo-analysis.ts'
import { type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import { MODULE_EXTENSION } from '../files/program-form.ts'
import type { AnalyzerOutcome, AnalyzerSetup, AnalyzerTask } from './analyze.worker.ts'

export interface CoreAnalyzer {
  /**
   * Returns the analysis of wasm/pipeline.ts or throws its errors. Throws BAD_IMAGE also when the photo takes too much
   * time or memory, and SERVICE_UNAVAILABLE when too many photos wait.
   */
  analyze(bytes: Uint8Array, selection: Selection | undefined, param: string): Promise<PhotoAnalysis>
  close(): Promise<void>
}

export interface AnalyzerLimits {
  /** Photos in progress: the photo in analysis, and waiting photos. */
  photos: number
  /**
   * Time limit of one analysis, without its wait and the start of a thread. Analysis and wait together stay below
   * EDGE_LIMITS.coreAnswerMs unless several slow photos queue.
   */
  milliseconds: number
}

/** Why a photo crashed the decoder: a fatal error, its memory, or its time. */
export type AnalyzerCrash = 'error' | 'memory' | 'time'

interface AnalyzerOptions {
  pack?: PlacedPack
  limits?: AnalyzerLimits
  /** Called after each crash, with the number of crashes. The next photo gets a new decoder. */
  onCrash?: (how: AnalyzerCrash, count: number) => void
}

const STANDARD_LIMITS: AnalyzerLimits = { photos: 4, milliseconds: 12_000 }

/** Limit of the thread's JavaScript heap. The decoders' memory has its own budget. */
const HEAP_MEGABYTES = 512

/** An idle thread ends after this time and frees its memory. */
const IDLE_MS = 60_000

const TOO_HARD = 'The photo takes too long to decode. A smaller or plainer copy of it will do.'

export function openAnalyzer({
  pack = STANDARD_PACK,
  limits = STANDARD_LIMITS,
  onCrash = () => {},
}: AnalyzerOptions = {}): CoreAnalyzer {
  const setup: AnalyzerSetup = { pack }
  const thread = new Piscina<AnalyzerTask | undefined, AnalyzerOutcome>({
    filename: new URL(`./analyze.worker${MODULE_EXTENSION}`, import.meta.url).href,
    workerData: setup,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  })
  let pending = 0
  let previous: Promise<unknown> = Promise.resolve()
  let crashes = 0
  const reportCrash = (how: AnalyzerCrash) => onCrash(how, ++crashes)

  /** A timeout ends the thread, and the next analysis gets a new one. */
  async function analyzeInThread(task: AnalyzerTask): Promise<AnalyzerOutcome> {
    await thread.run(undefined, { name: 'open' })
    const signal = environment.deadline(limits.milliseconds)
    try {
      const outcome = await thread.run(task, { signal, transferList: [task.bytes.buffer as ArrayBuffer] })
      if ('fell' in outcome && outcome.fell) reportCrash('error')
      return outcome
    } catch (cause) {
      const outOfMemory =
        cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
      if (!signal.aborted && !outOfMemory) throw cause
      reportCrash(outOfMemory ? 'memory' : 'time')
      throw new ServiceError('BAD_IMAGE', { param: task.param, reason: TOO_HARD }, { cause })
    }
  }

  return {
    async analyze(bytes, selection, param) {
      if (pending >= limits.photos) throw new ServiceError('SERVICE_UNAVAILABLE')
      pending++
      try {
        const task = { bytes: bytes.slice(), selection, param }
        const outcome = previous.then(() => analyzeInThread(task))
        previous = outcome.catch(() => {})
        return analysisOf(await outcome)
      } finally {
        pending--
      }
    },

    close: () => thread.destroy(),
  }
}

function analysisOf(outcome: AnalyzerOutcome): PhotoAnalysis {
  if ('refusal' in outcome) throw new ServiceError(outcome.refusal.code, outcome.refusal.detail)
  return outcome.sighting
}
