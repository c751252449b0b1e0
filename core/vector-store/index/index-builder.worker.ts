/** Thread that builds one index: a sample, its trained model, then the list of every row that it receives. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Assignment } from './arrange.ts'
import { openKMeansTrainer } from './k-means.ts'
import type { CodeSlice } from './slices.ts'

export interface BuilderSetup {
  dimension: number
}

/** Requests to the thread. */
export type BuilderRequest =
  | { verb: 'sample'; slice: CodeSlice }
  | { verb: 'train'; lists: number }
  | { verb: 'assign'; slice: CodeSlice }
  | { verb: 'assignment' }

/**
 * `progress` is 0..1 during training. `done` ends a request: with the model after `train`, with all rows so far after
 * `assignment`.
 */
export type BuilderResponse = { progress: number } | { done: Float32Array | Assignment | undefined }

type Done = Extract<BuilderResponse, { done: unknown }>['done']

const { dimension } = workerData as BuilderSetup
const trainer = openKMeansTrainer(dimension)
const samples: CodeSlice[] = []
const assigned: Assignment[] = []

async function answer(request: BuilderRequest): Promise<Done> {
  switch (request.verb) {
    case 'sample':
      samples.push(request.slice)
      return undefined
    case 'train':
      return (await trainer).train(joined(samples.splice(0)), request.lists, progress =>
        parentPort?.postMessage({ progress } satisfies BuilderResponse),
      )
    case 'assign':
      assigned.push({ ids: request.slice.ids, lists: (await trainer).assign(request.slice) })
      return undefined
    case 'assignment':
      return byId(assigned.splice(0))
  }
}

/** Joins assignments and sorts them by rising id. */
function byId(parts: readonly Assignment[]): Assignment {
  const ids = joinedArrays(
    parts.map(({ ids }) => ids),
    length => new Float64Array(length),
  )
  const lists = joinedArrays(
    parts.map(({ lists }) => lists),
    length => new Uint32Array(length),
  )
  const order = Uint32Array.from(ids.keys()).sort((a, b) => ids[a]! - ids[b]!)
  return { ids: Float64Array.from(order, at => ids[at]!), lists: Uint32Array.from(order, at => lists[at]!) }
}

const joined = (slices: readonly CodeSlice[]): CodeSlice => ({
  ids: joinedArrays(
    slices.map(({ ids }) => ids),
    length => new Float64Array(length),
  ),
  codes: joinedArrays(
    slices.map(({ codes }) => codes),
    length => new Uint8Array(length),
  ),
  scales: joinedArrays(
    slices.map(({ scales }) => scales),
    length => new Float32Array(length),
  ),
})

interface Joinable<Part> {
  set(part: Part, at: number): void
}

function joinedArrays<Part extends ArrayLike<number> & Joinable<Part>>(
  parts: readonly Part[],
  make: (length: number) => Part,
): Part {
  const all = make(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

parentPort?.on('message', async (request: BuilderRequest) => {
  const done = await answer(request)
  const arrays = done === undefined ? [] : done instanceof Float32Array ? [done] : Object.values(done)
  parentPort?.postMessage(
    { done } satisfies BuilderResponse,
    arrays.map(({ buffer }) => buffer as ArrayBuffer),
  )
})
