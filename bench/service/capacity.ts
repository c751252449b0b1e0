/** Predicts the shards, cores, edges, memory, disk, cost and latency of a load from other benchmarks' results. */
import { benchmark, kept } from '../benchmark.ts'
import { checks, costsOf, type Megapixels, measured } from '../lib/capacity/costs.ts'
import { ASSUMPTIONS, type Profile, planFor } from '../lib/capacity/plan.ts'
import { measureSizes, type Sizes } from '../lib/capacity/sizes.ts'
import { fixed } from '../statistics.ts'

/** Access control at a door, a country's airports with one or many galleries, and a population in one gallery. */
const PROFILES: Profile[] = [
  { faces: 1e6, galleries: 1, searchesPerSecond: 10, postsPerSecond: 1, regions: 1 },
  { faces: 1e8, galleries: 1, searchesPerSecond: 50, postsPerSecond: 10, regions: 2 },
  { faces: 1e8, galleries: 10_000, searchesPerSecond: 500, postsPerSecond: 50, regions: 2 },
  { faces: 1e9, galleries: 1, searchesPerSecond: 20, postsPerSecond: 20, regions: 3 },
]

export default benchmark({
  description: 'predicted resources for 1M, 100M and 1B faces, or a given load; all prices are assumptions',
  options: {
    /** 0 for the profiles above. */
    faces: 0,
    galleries: 1,
    searches: 10,
    posts: 1,
    regions: 1,
    /** Values of a vector, as in the kept result of `recall`. */
    dimension: 128,
    /** 1 or 12. */
    megapixels: 1,
    /** Measures the bytes of a face again. */
    measure: false,
    ...ASSUMPTIONS,
  },
  async run({ faces, galleries, searches, posts, regions, measure, dimension, ...given }, rig) {
    const { megapixels: size, ...assumed } = given
    const from = await measured(dimension)
    const known = await kept<{ sizes?: Sizes }>('capacity')
    const sizes = measure || !known?.sizes ? await measureSizes(rig) : known.sizes
    const megapixels: Megapixels = size === 12 ? 12 : 1
    const profile = { faces, galleries, searchesPerSecond: searches, postsPerSecond: posts, regions }
    const plans = (faces === 0 ? PROFILES : [profile]).map(load => {
      const identifies = load.searchesPerSecond / (load.searchesPerSecond + load.postsPerSecond)
      const plan = planFor(load, costsOf(from, sizes, megapixels, identifies), assumed)
      return {
        ...load,
        ...Object.fromEntries(Object.entries(plan).map(([name, value]) => [name, fixed(value)])),
      }
    })
    const foretold = checks(from).map(check => ({
      ...{ what: check.what, foretold: fixed(check.foretold, 2), measured: fixed(check.measured, 2) },
      ratio: fixed(check.foretold / check.measured, 2),
    }))
    return { sizes, megapixels, plans, foretold, costs: costsOf(from, sizes, megapixels, 1), assumed }
  },
})
