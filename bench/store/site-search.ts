/** Measures the cost of a site calibration for searches, in galleries of faces similar to its cohort. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_THRESHOLD } from '#contract/model/thresholds.ts'
import { packScale, type Scale } from '#core/calibration/scale.ts'
import { readSite, type SiteFile, siteScale } from '#core/calibration/site-file.ts'
import { closestVectors } from '#core/operations/search/closest-vectors.ts'
import { openVectorStore } from '#core/vector-store/open.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { STANDARD } from '#models/manifest.ts'
import { fixed, fromCaller, median, numbers, type Outcome, progress, table } from '../benchmark.ts'

export const description =
  'search time with and without a site calibration, among faces similar to its cohort'

export const options = {
  /** A data folder on which "mien calibrate" was run. */
  data: { type: 'string' },
  sizes: { type: 'string' },
} as const

const PROBES = 60
const GALLERY = 'faces'

/** Cohort members that are mixed into one synthetic face: enough to keep mean and covariance. */
const MIXED = 64

const QUESTIONS = [
  { name: 'best match from 0.75', threshold: DEFAULT_THRESHOLD, limit: 1 },
  { name: 'best 10, no threshold', threshold: 0, limit: 10 },
]

export async function run(values: { data?: string; sizes?: string }): Promise<Outcome> {
  const data = fromCaller(values.data ?? process.env.MIEN_DATA ?? 'data')
  const site = await readSite(data)
  if (!site) return { table: `skipped: there is no calibration in ${data}`, result: { skipped: true } }
  const measured: Measured[] = []
  for (const size of numbers(values.sizes ?? '10000,100000')) measured.push(...(await measure(site, size)))
  return {
    table: table([
      ['faces', 'question', 'scale', 'CPU ms', 'median ms'],
      ...measured.map(({ size, question, scale, cpuMs, medianMs }) => [
        size,
        question,
        scale,
        cpuMs,
        medianMs,
      ]),
    ]),
    result: { measured },
  }
}

interface Measured {
  size: number
  question: string
  scale: string
  /** Mean CPU time of all threads: less sensitive than wall time to other load. */
  cpuMs: number
  medianMs: number
}

async function measure(site: SiteFile, size: number): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-site-search-'))
  const store = await openVectorStore(folder)
  try {
    const face = strangersLike(site)
    for (let from = 0; from < size; from += 1_000) {
      await store.add(
        Array.from({ length: 1_000 }, (_, i) => ({ gallery: GALLERY, id: from + i, vector: face() })),
      )
    }
    progress(`${size} faces are there`)
    const probes = Array.from({ length: PROBES }, face)
    const found: Measured[] = []
    for (const { name, ...bounds } of QUESTIONS) {
      const times = await timed(store, site, probes, bounds)
      for (const [scale, all] of times) {
        found.push({
          size,
          question: name,
          scale,
          cpuMs: fixed(all.reduce((sum, { cpu }) => sum + cpu, 0) / all.length, 2),
          medianMs: fixed(median(all.map(({ wall }) => wall)), 2),
        })
      }
    }
    return found
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of one search. */
interface Took {
  wall: number
  cpu: number
}

/**
 * Runs each probe with each scale, interleaved. The first search of a calibrated service also measures the face
 * against the cohort.
 */
async function timed(
  store: VectorStore,
  site: SiteFile,
  probes: readonly Float32Array[],
  bounds: { threshold: number; limit: number },
): Promise<Map<string, Took[]>> {
  const pack = packScale(STANDARD.embedder.calibration.default)
  const calibrated = siteScale(site, pack)
  const contestants: [string, Scale][] = [
    ['the pack', pack],
    ['calibrated, at first', calibrated],
    ['calibrated, later', calibrated],
  ]
  const times = new Map<string, Took[]>(contestants.map(([name]) => [name, []]))
  for (const probe of probes) {
    for (const [name, scale] of contestants) {
      const [began, used] = [performance.now(), process.cpuUsage()]
      await closestVectors({ vectors: store, scale }, { gallery: GALLERY, ...bounds }, probe)
      const { user, system } = process.cpuUsage(used)
      times.get(name)!.push({ wall: performance.now() - began, cpu: (user + system) / 1_000 })
    }
  }
  return times
}

/** Generates synthetic faces with the distribution of the cohort. */
function strangersLike({ cohort: { vectors, dimension } }: SiteFile): () => Float32Array {
  const count = vectors.length / dimension
  const mean = new Float64Array(dimension)
  for (const [i, value] of vectors.entries()) mean[i % dimension]! += value / count
  return () => {
    const sum = Float64Array.from(mean)
    for (let i = 0; i < MIXED; i++) {
      const member = Math.floor(Math.random() * count) * dimension
      const weight = normal() / Math.sqrt(MIXED)
      for (let d = 0; d < dimension; d++) sum[d]! += weight * (vectors[member + d]! - mean[d]!)
    }
    return unitVector(Float32Array.from(sum))
  }
}

const normal = (): number =>
  Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
