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
      return (await trainer).train(joinSlices(samples.splice(0)), request.lists, progress =>
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
  const ids = joinedArrays(Float64Array, parts, part => part.ids)
  const lists = joinedArrays(Uint32Array, parts, part => part.lists)
  const order = Uint32Array.from(ids.keys()).sort((a, b) => ids[a]! - ids[b]!)
  return { ids: Float64Array.from(order, at => ids[at]!), lists: Uint32Array.from(order, at => lists[at]!) }
}

const joinSlices = (slices: readonly CodeSlice[]): CodeSlice => ({
  ids: joinedArrays(Float64Array, slices, slice => slice.ids),
  codes: joinedArrays(Uint8Array, slices, slice => slice.codes),
  scales: joinedArrays(Float32Array, slices, slice => slice.scales),
})

function joinedArrays<Part, Values extends ArrayLike<number> & { set(values: Values, at: number): void }>(
  Values: new (length: number) => Values,
  parts: readonly Part[],
  valuesOf: (part: Part) => Values,
): Values {
  const all = new Values(parts.reduce((sum, part) => sum + valuesOf(part).length, 0))
  let at = 0
  for (const part of parts) {
    all.set(valuesOf(part), at)
    at += valuesOf(part).length
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
