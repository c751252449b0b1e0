/**
 * Converts results of other benchmarks to costs of a load, and checks predictions from small sizes against large
 * ones.
 */
import { kept } from '../../benchmark.ts'
import { type Comparison, EXACT, INDEXED } from '../vectors/comparison.ts'
import type { Sizes } from './measure.ts'
import { type Costs, type Line, lineThrough, timeOf } from './plan.ts'

const DIMENSION = 160

/** Names of rows in latency.json, by megapixels. */
const PHOTOS = { 1: '1 Mpx portrait', 12: '12 Mpx' } as const

export type Megapixels = keyof typeof PHOTOS

interface Latency {
  detect: { medianMs: number }
  stages: { embed: number }
}

interface Memory {
  name: string
  faces: number
  bytesAFace: number
}

export interface Measured {
  recall: Comparison[]
  latency: Record<string, Latency>
  memory: Memory[]
  /** Megabytes of a core with its networks. */
  coreMb: number
}

/** Undefined when the result of a benchmark is missing. */
export async function measured(): Promise<Measured | undefined> {
  const [recall, latency, memory, history] = await Promise.all(
    ['recall', 'latency', 'store-memory', 'history'].map(kept),
  )
  if (!recall || !latency || !memory || !history) return undefined
  return {
    recall: (recall.sizes as Comparison[]).filter(({ dimension }) => dimension === DIMENSION),
    latency: latency as unknown as Record<string, Latency>,
    memory: memory.figures as Memory[],
    coreMb: history.coreBeforeMb as number,
  }
}

/** Computes costs. `identifies` is the share of requests that identify; the others enrol. */
export function costsOf(from: Measured, sizes: Sizes, megapixels: Megapixels, identifies: number): Costs {
  const latency = from.latency[PHOTOS[megapixels]]!
  return {
    ramBytesAFace: memoryOf(from, 'that opened it with the index').bytesAFace,
    ramBaseMb: from.coreMb,
    diskBytesAFace: sizes.vectorBytes + sizes.metadataBytes + sizes.pictureBytes,
    exact: lineOf(from, EXACT, 10_000, 1_000_000),
    indexed: lineOf(from, INDEXED, 100_000, 1_000_000),
    embedMs: latency.stages.embed,
    edgeMs: latency.detect.medianMs,
    wireBytes: sizes.identifyBytes * identifies + sizes.postBytes * (1 - identifies),
  }
}

export interface Check {
  what: string
  foretold: number
  measured: number
}

/** Compares predictions from the smaller sizes with measurements of the larger sizes. */
export function checks(from: Measured): Check[] {
  const largest = from.recall.filter(({ faces }) => faces > 1_000_000)
  return [
    check(from, EXACT, lineOf(from, EXACT, 10_000, 100_000), 1_000_000),
    ...largest.flatMap(({ faces }) => [
      check(from, EXACT, lineOf(from, EXACT, 10_000, 1_000_000), faces),
      check(from, INDEXED, lineOf(from, INDEXED, 100_000, 1_000_000), faces),
    ]),
  ]
}

const check = (from: Measured, name: string, line: Line, faces: number): Check => ({
  what: `${name}, ${faces.toLocaleString('en')} faces: median ms`,
  foretold: timeOf(line, faces),
  measured: msOf(from, name, faces),
})

const lineOf = (from: Measured, name: string, few: number, many: number): Line =>
  lineThrough({ rows: few, ms: msOf(from, name, few) }, { rows: many, ms: msOf(from, name, many) })

function msOf({ recall }: Measured, name: string, faces: number): number {
  const size = recall.find(each => each.faces === faces)
  const figures = size?.contestants.find(each => each.name === name)
  if (!figures) throw new Error(`"npm run bench -- recall --sizes ${faces}" comes first.`)
  return figures.medianMs
}

function memoryOf({ memory }: Measured, name: string): Memory {
  const figures = memory.find(each => each.name === name)
  if (!figures) throw new Error('"npm run bench -- store-memory" comes first.')
  return figures
}
