/** What a score means: every two pictures compared, the false match rate of each score, and the tables that follow. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { PairScores } from '../core/calibration/pairs.ts'
import { type Rates, ratesOf } from '../core/calibration/rates.ts'
import { calibrated } from '../core/calibration/table.ts'
import { greatestOf } from '../core/calibration/tail.ts'
import { chosenPack } from '../core/operations/upkeep/chosen-pack.ts'
import type { Calibration, Calibrations } from '../models/calibrations.ts'
import { MANIFEST } from '../models/manifest.ts'
import { PACK_CALIBRATION, packFolder } from '../models/packs.ts'
import { exists, fixed, fromCaller, type Outcome, progress, table } from './benchmark.ts'
import { BANDS, type Band, cosinesOf, EVERYBODY } from './faces/bands.ts'
import { type GroupTables, groupTables } from './faces/group-tables.ts'
import { type Person, readPeople } from './faces/people.ts'
import { readPopulation } from './faces/population.ts'
import { KEEP_OPTION } from './faces/read-faces.ts'
import { PROMISED } from './faces/tables.ts'

export const description =
  'all pairs of pictures: what scores of strangers mean, the calibration tables, and true matches by band'

export const options = {
  images: { type: 'string' },
  groups: { type: 'string' },
  limit: { type: 'string' },
  pack: { type: 'string' },
  data: { type: 'string' },
  update: { type: 'boolean' },
  ...KEEP_OPTION,
} as const

/** Of the curves: three a decade, as far as there are this many strangers' pairs beyond. */
const STEPS = [1, 2, 5]
const DECADES = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2]
const LEAST_BEYOND = 3

/** Pairs of strangers that a table is kept of: three of them beyond `strict`. */
const LEAST_STRANGERS = 300_000

/** A band of fewer pairs of one person is counted, and not drawn. */
const LEAST_SAME = 100

const MANIFEST_FILE = resolve(import.meta.dirname, '..', 'models', 'manifest.json')

export async function run(values: {
  /** A folder of pictures for each person. */
  images?: string
  /** One picture of each person, of all groups alike: see bench/faces/population.ts. Without them the images make the table. */
  groups?: string
  /** The most images to take. */
  limit?: string
  /** The chosen one of the data folder unless given. */
  pack?: string
  data?: string
  /** Keeps the tables: of a pack that is built in the manifest, of another in the data folder. */
  update?: boolean
  keep?: string
}): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }

  const data = fromCaller(values.data ?? process.env.MIEN_DATA ?? 'data')
  const pack = await chosenPack(data, values.pack ?? process.env.MIEN_PACK)
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  const keep = values.keep === undefined ? undefined : fromCaller(values.keep)
  const tell = (done: number, total: number): void => {
    if (done % 500 < 16) progress(`${done} of ${total} pictures`)
  }
  const { people, failures } = await readPeople(images, pack, { limit, keep }, tell)
  const all = cosinesOf(people)
  // Pictures of one's own are of one's own population: they are not mixed with ours.
  const folder = fromCaller(values.groups ?? '../shared/data/attributes/groups')
  const isMixed = (values.images === undefined || values.groups !== undefined) && (await exists(folder))
  const mixed = isMixed
    ? groupTables(await readPopulation(folder, pack, { keep }, tell), all.same)
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

/** The table of people without labels: any two of them, counted. */
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
  /** By falling rate. */
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

/** Where the tables were put. */
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
  /** Pairs that the tables were read from. */
  strangers: number
  calibrations: Calibrations
  /** Undefined where the tables are those of the images. */
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

/** The tables of a balanced population, with their intervals, and what they let through. */
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
