/** Measures the cost of a site calibration for searches, in galleries of faces similar to its cohort. */
import { DEFAULT_THRESHOLD } from '#contract/model/thresholds.ts'
import { packScale } from '#core/calibration/scale.ts'
import { readSite, type SiteFile, siteScale } from '#core/calibration/site-file.ts'
import { closestVectors } from '#core/operations/search/closest-vectors.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { STANDARD } from '#models/manifest.ts'
import { benchmark, DATA, fromCaller, need, numbers, progress } from '../benchmark.ts'
import { addRows, inStore } from '../lib/vectors/fill.ts'
import { withRig } from '../rig.ts'
import { cpuTimed, fixed, mean, median, normal, timed } from '../statistics.ts'

const PROBES = 60
const GALLERY = 'faces'

/** Cohort members that are mixed into one synthetic face: enough to keep mean and covariance. */
const MIXED = 64

const QUESTIONS = [
  { question: 'best match from 0.75', threshold: DEFAULT_THRESHOLD, limit: 1 },
  { question: 'best 10, no threshold', threshold: 0, limit: 10 },
]

export default benchmark({
  description: 'search time with and without a site calibration, among faces similar to its cohort',
  options: {
    /** A data folder on which "mien calibrate" was run. */
    data: DATA,
    sizes: '10000,100000',
  },
  async run({ data, sizes }) {
    const site = await readSite(fromCaller(data))
    need(site, `a calibration in ${data}`)
    const measured = []
    for (const size of numbers(sizes))
      measured.push(
        ...(await withRig(async rig => inStore(await rig.folder(), store => measure(site, size, store)))),
      )
    return { measured }
  },
})

async function measure(site: SiteFile, size: number, store: VectorStore) {
  const { dimension } = site.cohort
  const face = strangersLike(site)
  for (let from = 0; from < size; from += 1_000) {
    const rows = new Float32Array(1_000 * dimension)
    for (let row = 0; row < 1_000; row++) rows.set(face(), row * dimension)
    await addRows(store, GALLERY, from, rows, dimension)
  }
  progress(`${size} faces are there`)
  const probes = Array.from({ length: PROBES }, face)
  const found = []
  for (const { question, ...bounds } of QUESTIONS)
    for (const figures of await searchTimes(store, site, probes, bounds))
      found.push({ size, question, ...figures })
  return found
}

/**
 * Runs each probe with each scale, interleaved. The first search of a calibrated service also measures the face
 * against the cohort. CPU time of all threads is less sensitive than wall time to other load.
 */
async function searchTimes(
  store: VectorStore,
  site: SiteFile,
  probes: readonly Float32Array[],
  bounds: { threshold: number; limit: number },
) {
  const pack = packScale(STANDARD.embedder.calibration.default)
  const calibrated = siteScale(site, pack)
  const contestants = Object.entries({
    'the pack': pack,
    'calibrated, at first': calibrated,
    'calibrated, later': calibrated,
  }).map(([name, scale]) => ({ name, scale, wall: [] as number[], cpu: [] as number[] }))
  for (const probe of probes)
    for (const { scale, wall, cpu } of contestants) {
      const search = () => closestVectors({ vectors: store, scale }, { gallery: GALLERY, ...bounds }, probe)
      wall.push(
        await timed(async () => {
          cpu.push(await cpuTimed(search))
        }),
      )
    }
  return contestants.map(({ name, wall, cpu }) => ({
    ...{ scale: name, cpuMs: fixed(mean(cpu), 2), medianMs: fixed(median(wall), 2) },
  }))
}

/** Generates synthetic faces with the distribution of the cohort. */
function strangersLike({ cohort: { vectors, dimension } }: SiteFile): () => Float32Array {
  const count = vectors.length / dimension
  const middle = new Float64Array(dimension)
  for (const [i, value] of vectors.entries()) middle[i % dimension]! += value / count
  return () => {
    const total = Float64Array.from(middle)
    for (let i = 0; i < MIXED; i++) {
      const member = Math.floor(Math.random() * count) * dimension
      const weight = normal(Math.random) / Math.sqrt(MIXED)
      for (let d = 0; d < dimension; d++) total[d]! += weight * (vectors[member + d]! - middle[d]!)
    }
    return unitVector(Float32Array.from(total))
  }
}
