/** Predicts the shards, cores, edges, memory, disk, cost and latency of a load from other benchmarks' results. */
import { fixed, kept, type Outcome, table } from '../benchmark.ts'
import { measureSizes, type Sizes } from '../lib/load/measure.ts'
import { checks, costsOf, type Measured, type Megapixels, measured } from '../lib/load/measured.ts'
import { ASSUMPTIONS, type Assumptions, type Plan, type Profile, planFor } from '../lib/load/plan.ts'

export const description =
  'predicted resources for 1M, 100M and 1B faces, or a given load; all prices are assumptions'

const ASSUMED = Object.keys(ASSUMPTIONS) as (keyof Assumptions)[]

export const options = {
  faces: { type: 'string' },
  galleries: { type: 'string' },
  searches: { type: 'string' },
  posts: { type: 'string' },
  regions: { type: 'string' },
  megapixels: { type: 'string' },
  measure: { type: 'boolean' },
  ...Object.fromEntries(ASSUMED.map(name => [name, { type: 'string' } as const])),
} as const

/** Access control at a door, a country's airports with one or many galleries, and a population in one gallery. */
const PROFILES: Profile[] = [
  { faces: 1e6, galleries: 1, searchesPerSecond: 10, postsPerSecond: 1, regions: 1 },
  { faces: 1e8, galleries: 1, searchesPerSecond: 50, postsPerSecond: 10, regions: 2 },
  { faces: 1e8, galleries: 10_000, searchesPerSecond: 500, postsPerSecond: 50, regions: 2 },
  { faces: 1e9, galleries: 1, searchesPerSecond: 20, postsPerSecond: 20, regions: 3 },
]

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  const from = await measured()
  if (!from) {
    const missing = 'skipped: the benchmarks recall, latency, store-memory and history come first'
    return { table: missing, result: { skipped: true } }
  }
  const known = (await kept('capacity')) as { sizes?: Sizes } | undefined
  const sizes = values.measure || !known?.sizes ? await measureSizes() : known.sizes
  const assumed = assumptionsOf(values)
  const megapixels: Megapixels = values.megapixels === '12' ? 12 : 1
  const profiles = values.faces === undefined ? PROFILES : [profileOf(values)]
  const plans = profiles.map(profile => ({
    profile,
    plan: planOf(profile, from, sizes, megapixels, assumed),
  }))
  const foretold = checks(from).map(check => ({ ...check, ratio: fixed(check.foretold / check.measured, 2) }))
  const costs = costsOf(from, sizes, megapixels, 1)
  const shown = [
    table([['load', ...ROWS.map(([name]) => name)], ...plans.map(({ profile, plan }) => row(profile, plan))]),
    table([['foretold from smaller sizes', 'foretold', 'measured'], ...foretold.map(checkRow)]),
    `measured: ${JSON.stringify({ ...sizes, ...costs })}`,
    `assumed, not measured: ${JSON.stringify(assumed)}`,
  ]
  return { table: shown.join('\n\n'), result: { sizes, megapixels, costs, assumed, plans, foretold } }
}

function planOf(
  profile: Profile,
  from: Measured,
  sizes: Sizes,
  megapixels: Megapixels,
  assumed: Assumptions,
): Plan {
  const { searchesPerSecond, postsPerSecond } = profile
  const identifies = searchesPerSecond / (searchesPerSecond + postsPerSecond)
  return planFor(profile, costsOf(from, sizes, megapixels, identifies), assumed)
}

const ROWS: [name: string, of: (plan: Plan) => number | string][] = [
  ['shards', plan => plan.shards],
  ['machines of core', plan => plan.machines],
  ['core CPUs at work', plan => fixed(plan.coreCpus)],
  ['edge CPUs', plan => plan.edgeCpus],
  ['RAM GB', plan => fixed(plan.ramGb)],
  ['disk GB', plan => Math.ceil(plan.diskGb)],
  ['wire GB a month', plan => Math.ceil(plan.wireGb)],
  ['money a month', plan => Math.ceil(plan.money)],
  ['search ms', plan => fixed(plan.searchMs)],
  ['identify ms: mean, p99', plan => `${fixed(plan.identifyMs, 0)}, ${fixed(plan.identifyP99Ms, 0)}`],
]

const row = (profile: Profile, plan: Plan): (string | number)[] => [
  nameOf(profile),
  ...ROWS.map(([, of]) => of(plan)),
]

const nameOf = ({ faces, galleries, searchesPerSecond, postsPerSecond, regions }: Profile): string =>
  `${faces / 1e6} M in ${galleries}; ${searchesPerSecond} + ${postsPerSecond} /s; ${regions}`

const checkRow = (check: { what: string; foretold: number; measured: number }): (string | number)[] => [
  check.what,
  fixed(check.foretold, 2),
  fixed(check.measured, 2),
]

function profileOf(values: Record<string, string | boolean | undefined>): Profile {
  const number = (name: string, otherwise: number) => Number(values[name] ?? otherwise)
  return {
    faces: number('faces', 1e6),
    galleries: number('galleries', 1),
    searchesPerSecond: number('searches', 10),
    postsPerSecond: number('posts', 1),
    regions: number('regions', 1),
  }
}

const assumptionsOf = (values: Record<string, string | boolean | undefined>): Assumptions =>
  Object.fromEntries(
    ASSUMED.map(name => [name, Number(values[name] ?? ASSUMPTIONS[name])]),
  ) as unknown as Assumptions
