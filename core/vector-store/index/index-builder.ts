/** Client of the thread that builds an index, with one request at a time. */
import { Worker } from 'node:worker_threads'
import { MODULE_EXTENSION } from '../../files/program-form.ts'
import type { Assignment } from './arrange.ts'
import type { BuilderRequest, BuilderResponse, BuilderSetup } from './index-builder.worker.ts'
import type { CodeSlice } from './slices.ts'

type Done = Extract<BuilderResponse, { done: unknown }>['done']

export interface IndexBuilder {
  /** Adds rows to the sample. Transfers the buffers of the slice. */
  sample(slice: CodeSlice): Promise<void>
  /** Trains a model on the sample. Progress is 0..1. */
  train(lists: number, onProgress: (part: number) => void): Promise<Float32Array>
  /** Finds the list of each row. Transfers the buffers of the slice. */
  assign(slice: CodeSlice): Promise<void>
  /** Assignment of all rows so far, by rising id. */
  assignment(): Promise<Assignment>
  close(): Promise<void>
}

/** Starts the thread. Requests reject when the thread dies. */
export function openIndexBuilder(dimension: number): IndexBuilder {
  const workerData: BuilderSetup = { dimension }
  const worker = new Worker(new URL(`./index-builder.worker${MODULE_EXTENSION}`, import.meta.url), {
    workerData,
  })
  // The thread does not keep a process alive that is about to end.
  worker.unref()

  let pending: { onProgress(part: number): void; resolve(done: Done): void } | undefined
  // Threads of commands lack what preload.ts adds to Node 20.
  const failure = new Promise<never>((_, reject) => {
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('The index builder thread exited.')))
  })
  failure.catch(() => {})
  worker.on('message', (answer: BuilderResponse) => {
    if ('done' in answer) pending?.resolve(answer.done)
    else pending?.onProgress(answer.progress)
  })

  function ask(request: BuilderRequest, onProgress: (part: number) => void = () => {}): Promise<Done> {
    const transferred = 'slice' in request ? Object.values(request.slice).map(({ buffer }) => buffer) : []
    const done = new Promise<Done>(resolve => {
      pending = { onProgress, resolve }
    })
    worker.postMessage(request, transferred as ArrayBuffer[])
    return Promise.race([done, failure])
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
