/** Compares all pairs of pictures: computes the false match rate of each score and the calibration tables. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { greatestOf, type PairScores } from '#core/calibration/people.ts'
import { type Rates, ratesOf } from '#core/calibration/rates.ts'
import { calibrated } from '#core/calibration/scale.ts'
import { chosenPack } from '#core/operations/upkeep/chosen-pack.ts'
import type { Calibration, Calibrations } from '#models/calibrations.ts'
import { MANIFEST } from '#models/manifest.ts'
import { PACK_CALIBRATION, packFolder } from '#models/packs.ts'
import { exists, fixed, fromCaller, type Outcome, progress, table } from '../benchmark.ts'
import { type Person, readPeople } from '../lib/faces/people.ts'
import { readPopulation } from '../lib/faces/population.ts'
import { CACHE_OPTION } from '../lib/faces/read-faces.ts'
import { BANDS, type Band, cosinesOf, EVERYBODY } from '../lib/measures/bands.ts'
import { type GroupTables, groupTables } from '../lib/measures/group-tables.ts'
import { PROMISED } from '../lib/measures/tables.ts'

export const description =
  'calibration tables from all pairs of pictures, with false and true match rates by band'

export const options = {
  images: { type: 'string' },
  groups: { type: 'string' },
  limit: { type: 'string' },
  pack: { type: 'string' },
  data: { type: 'string' },
  update: { type: 'boolean' },
  ...CACHE_OPTION,
} as const

/** Points of the curves: three per decade, as long as at least this many impostor pairs score higher. */
const STEPS = [1, 2, 5]
const DECADES = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2]
const LEAST_BEYOND = 3

/** Minimum impostor pairs to keep a table: three of them score above `strict`. */
const LEAST_STRANGERS = 300_000

/** Minimum genuine pairs of a band to draw its curve. Smaller bands are only counted. */
const LEAST_SAME = 100

const MANIFEST_FILE = resolve(import.meta.dirname, '..', '..', 'models', 'manifest.json')

export async function run(values: {
  /** A folder of pictures per person. */
  images?: string
  /** One picture per person, balanced over groups: see bench/lib/faces/population.ts. Default tables come from `images`. */
  groups?: string
  /** Maximum number of images. */
  limit?: string
  /** Default: the chosen pack of the data folder. */
  pack?: string
  data?: string
  /** Keeps the tables: for a built pack in the manifest, for other packs in the data folder. */
  update?: boolean
  cache?: string
}): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }

  const data = fromCaller(values.data ?? process.env.MIEN_DATA ?? 'data')
  const pack = await chosenPack(data, values.pack ?? process.env.MIEN_PACK)
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  const cache = values.cache === undefined ? undefined : fromCaller(values.cache)
  const tell = (done: number, total: number): void => {
    if (done % 500 < 16) progress(`${done} of ${total} pictures`)
  }
  const { people, failures } = await readPeople(images, pack, { limit, cache }, tell)
  const all = cosinesOf(people)
  // An operator's pictures represent the operator's population. They are not mixed with the balanced population.
  const folder = fromCaller(values.groups ?? '../shared/data/attributes/groups')
  const isMixed = (values.images === undefined || values.groups !== undefined) && (await exists(folder))
  const mixed = isMixed
    ? groupTables(await readPopulation(folder, pack, { cache }, tell), all.same)
    : undefined
  const calibrations: Calibrations = mixed?.calibrations ?? { default: plainTable(all) }
  const strangers = mixed?.pairs ?? all.strangers.length
  const where =
    values.update && strangers >= LEAST_STRANGERS
      ? await keepTables(calibrations, data, pack.name)
      : undefined
  const bands = [EVERYBODY, ...BANDS].map(band => measured(band, people, all, calibrations.default))
  const results = { pack: pack.name, people: people.length, failures, strangers, calibrations, mixed, bands }
  return outcome(results, where)
}

/** The table of people without labels: counted over all pairs of different people. */
const plainTable = ({ strangers }: PairScores): Calibration => [
  [0, 0],
  ...PROMISED.map(
    ({ rate, confidence }) => [fixed(greatestOf(strangers, rate), 4), confidence] as [number, number],
  ),
  [1, 1],
]

interface Measured extends Rates {
  name: string
  people: number
  /** Sorted by falling rate. */
  curve: { falseMatches: number; score: number; trueMatches: number }[]
}

function measured(
  band: Band,
  people: readonly Person[],
  all: PairScores,
  calibration: Calibration,
): Measured {
  const own = people.filter(band.has)
  const scores = band === EVERYBODY ? all : cosinesOf(own)
  const rates = ratesOf(scores, calibrated(calibration))
  const shares = DECADES.flatMap(decade => STEPS.map(step => step * decade)).filter(
    share => share * scores.strangers.length >= LEAST_BEYOND && scores.same.length >= LEAST_SAME,
  )
  const curve = [...shares, 1e-1].map(share => {
    const score = greatestOf(scores.strangers, share)
    const trueMatches = scores.same.filter(one => one >= score).length / scores.same.length
    return { falseMatches: share, score: fixed(score, 4), trueMatches: fixed(trueMatches, 4) }
  })
  return { name: band.name, people: own.length, ...rates, curve: curve.reverse() }
}

/** Writes the tables and returns their path. */
async function keepTables(calibrations: Calibrations, data: string, pack: string): Promise<string> {
  if (!MANIFEST.packs[pack]?.embedder?.calibration) {
    const path = join(packFolder(data, pack), PACK_CALIBRATION)
    await mkdir(packFolder(data, pack), { recursive: true, mode: 0o700 })
    await writeFile(path, `${JSON.stringify(calibrations)}\n`)
    return path
  }
  const manifest = JSON.parse(await readFile(MANIFEST_FILE, 'utf8'))
  manifest.packs[pack].embedder.calibration = calibrations
  await writeFile(MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`)
  return `${MANIFEST_FILE} (now "npm run format")`
}

interface Results {
  pack: string
  people: number
  failures: number
  /** Number of pairs that the tables are computed from. */
  strangers: number
  calibrations: Calibrations
  /** Undefined when the tables come from the images. */
  mixed: GroupTables | undefined
  bands: Measured[]
}

const percent = (share: number): string => `${fixed(100 * share)} %`
const rate = (share: number): string => share.toExponential(1)

function outcome(results: Results, where: string | undefined): Outcome {
  const { people, failures, strangers, calibrations, mixed, bands } = results
  const [all] = bands
  const { calibrations: _, ...read } = mixed ?? { calibrations }
  return {
    table: [
      `${people} people, ${all!.strangers} pairs of strangers, ${all!.same} of one person, ${failures} pictures without a face`,
      curveText(all!),
      'Age and gender are our own estimates of each person; strangers are both of the band:',
      bandsText(bands),
      ...(mixed ? [mixedText(mixed)] : []),
      `calibration: ${JSON.stringify({ default: calibrations.default, alike: calibrations.alike })}, ${where ? `kept in ${where}` : 'not kept'}`,
      ...(strangers < LEAST_STRANGERS
        ? [
            `It is not to be relied on: "strict" takes ${LEAST_STRANGERS} pairs of strangers, that is 800 people.`,
          ]
        : []),
    ].join('\n\n'),
    result: { ...results, mixed: read },
  }
}

const curveText = ({ curve }: Measured): string =>
  table([
    ['false match rate', 'score', 'true match rate'],
    ...curve.map(({ falseMatches, score, trueMatches }) => [rate(falseMatches), score, percent(trueMatches)]),
  ])

const bandsText = (bands: readonly Measured[]): string =>
  table([
    [
      'band',
      'people',
      'pairs of one person',
      ...bands[0]!.named.flatMap(({ name }) => [`${name}: false`, 'true']),
    ],
    ...bands.map(band => [
      band.name,
      band.people,
      band.same,
      ...band.named.flatMap(({ falseMatches, trueMatches }) => [rate(falseMatches), percent(trueMatches)]),
    ]),
  ])

/** The tables of a balanced population with intervals and error rates. */
const mixedText = ({ calibrations: { measured }, pairs, leftOut, bar, scores }: GroupTables): string =>
  [
    `Tables of ${pairs} pairs of strangers of a balanced population; ${leftOut} pairs from ${bar} up may show one person and are left out:`,
    table([
      ['table', 'threshold', 'score', '95 % of draws', 'any two', 'alike', 'worst group', '', 'true'],
      ...(['default', 'alike'] as const).flatMap(name =>
        scores[name].map(({ name: threshold, score, from, to, counted }) => {
          const { strangers, alike, worst, same } = measured![name]![threshold]
          return [
            name,
            threshold,
            score,
            `${from} to ${to}${counted ? '' : ' (tail)'}`,
            rate(strangers),
            rate(alike),
            rate(worst.share),
            worst.group,
            percent(same),
          ]
        }),
      ),
    ]),
  ].join('\n')
