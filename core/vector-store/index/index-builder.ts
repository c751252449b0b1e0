/** Asks the thread that makes an index, one question after the other. */
import { Worker } from 'node:worker_threads'
import type { Assignment } from './arrange.ts'
import type { BuilderAnswer, BuilderQuestion, BuilderSetup } from './index-builder.worker.ts'
import type { CodeSlice } from './slices.ts'

type Done = Extract<BuilderAnswer, { done: unknown }>['done']

export interface IndexBuilder {
  /** Adds rows to the sample. */
  sample(slice: CodeSlice): Promise<void>
  /** Centroids of the sample: one unit vector for each list. */
  train(lists: number, onProgress: (part: number) => void): Promise<Float32Array>
  /** Finds the list of each row. Slices are given away. */
  assign(slice: CodeSlice): Promise<void>
  /** Of all rows so far, by rising id. */
  assignment(): Promise<Assignment>
  close(): Promise<void>
}

/** Starts the thread. A question rejects when the thread dies of it. */
export function openIndexBuilder(dimension: number): IndexBuilder {
  const workerData: BuilderSetup = { dimension }
  const worker = new Worker(new URL('./index-builder.worker.ts', import.meta.url), { workerData })
  // Waiting for it keeps nothing alive that is about to end.
  worker.unref()

  let asked: { onProgress(part: number): void; resolve(done: Done): void } | undefined
  const { promise: death, reject: die } = Promise.withResolvers<never>()
  death.catch(() => {})
  worker.on('error', die)
  worker.on('exit', () => die(new Error('The thread that makes the index has ended.')))
  worker.on('message', (answer: BuilderAnswer) => {
    if ('done' in answer) asked?.resolve(answer.done)
    else asked?.onProgress(answer.progress)
  })

  function ask(question: BuilderQuestion, onProgress: (part: number) => void = () => {}): Promise<Done> {
    const given = 'slice' in question ? Object.values(question.slice).map(({ buffer }) => buffer) : []
    const { promise, resolve } = Promise.withResolvers<Done>()
    asked = { onProgress, resolve }
    worker.postMessage(question, given as ArrayBuffer[])
    return Promise.race([promise, death])
  }

  return {
    async sample(slice) {
      await ask({ verb: 'sample', slice })
    },
    train: async (lists, onProgress) => (await ask({ verb: 'train', lists }, onProgress)) as Float32Array,
    async assign(slice) {
      await ask({ verb: 'assign', slice })
    },
    assignment: async () => (await ask({ verb: 'assignment' })) as Assignment,
    async close() {
      await worker.terminate()
    },
  }
}
