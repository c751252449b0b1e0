/** Converts results of other benchmarks to costs of a load, and checks predictions from small sizes against large ones. */
import { kept, need } from '../../benchmark.ts'
import type { Comparison } from '../vectors/comparison.ts'
import { EXACT, INDEXED } from '../vectors/contestants.ts'
import { type Costs, type Line, lineThrough, timeOf } from './plan.ts'
import type { Sizes } from './sizes.ts'

/** Photos of latency.json, by megapixels. */
const PHOTOS = { 1: '1 Mpx portrait', 12: '12 Mpx' } as const

export type Megapixels = keyof typeof PHOTOS

interface Latency {
  requests: { photo: string; request: string; medianMs: number }[]
  stages: { photo: string; pack: string; embed: number }[]
}

export interface Measured {
  recall: Comparison[]
  latency: Latency
  memory: { name: string; bytesAFace: number }[]
  /** Megabytes of a core with its networks. */
  coreMb: number
}

/** Throws `Skipped` when the result of a benchmark is missing. */
export async function measured(dimension: number): Promise<Measured> {
  const [recall, latency, memory, history] = [
    await kept<{ sizes: Comparison[] }>('recall'),
    await kept<Latency>('latency'),
    await kept<{ figures: Measured['memory'] }>('store-memory'),
    await kept<{ coreBeforeMb: number }>('history'),
  ]
  const what = 'kept results of recall, latency, store-memory and history'
  need(recall, what)
  need(latency, what)
  need(memory, what)
  need(history, what)
  return {
    recall: recall.sizes.filter(size => size.dimension === dimension),
    ...{ latency, memory: memory.figures, coreMb: history.coreBeforeMb },
  }
}

/** Computes costs. `identifies` is the share of requests that identify; the others enrol. */
export function costsOf(from: Measured, sizes: Sizes, megapixels: Megapixels, identifies: number): Costs {
  const photo = PHOTOS[megapixels]
  const { requests, stages } = from.latency
  const stage = stages.find(one => one.photo === photo && one.pack === 'standard')
  return {
    ramBytesAFace: from.memory.find(({ name }) => name === 'that opened it with the index')!.bytesAFace,
    ramBaseMb: from.coreMb,
    diskBytesAFace: sizes.vectorBytes + sizes.metadataBytes + sizes.pictureBytes,
    exact: lineOf(from, EXACT, 10_000, 1_000_000),
    indexed: lineOf(from, INDEXED, 100_000, 1_000_000),
    embedMs: stage!.embed,
    edgeMs: requests.find(one => one.photo === photo && one.request === 'detect')!.medianMs,
    wireBytes: sizes.identifyBytes * identifies + sizes.postBytes * (1 - identifies),
  }
}

/** Compares predictions from the smaller sizes with measurements of the larger sizes. */
export function checks(from: Measured) {
  const check = (name: string, line: Line, faces: number) => ({
    what: `${name}, ${faces.toLocaleString('en')} faces: median ms`,
    foretold: timeOf(line, faces),
    measured: msOf(from, name, faces),
  })
  const largest = from.recall.filter(({ faces }) => faces > 1_000_000)
  return [
    check(EXACT, lineOf(from, EXACT, 10_000, 100_000), 1_000_000),
    ...largest.flatMap(({ faces }) => [
      check(EXACT, lineOf(from, EXACT, 10_000, 1_000_000), faces),
      check(INDEXED, lineOf(from, INDEXED, 100_000, 1_000_000), faces),
    ]),
  ]
}

const lineOf = (from: Measured, name: string, few: number, many: number): Line =>
  lineThrough({ rows: few, ms: msOf(from, name, few) }, { rows: many, ms: msOf(from, name, many) })

function msOf({ recall }: Measured, name: string, faces: number): number {
  const size = recall.find(each => each.faces === faces)
  const figures = size?.contestants.find(each => each.name === name)
  if (!figures) throw new Error(`"npm run bench -- recall --sizes ${faces}" comes first.`)
  return figures.medianMs
}
