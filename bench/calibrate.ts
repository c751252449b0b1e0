/** What a score means: every two pictures compared, the false match rate of each score, and the table that follows. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { PairScores } from '../core/calibration/pairs.ts'
import { type Rates, ratesOf } from '../core/calibration/rates.ts'
import { calibrated } from '../core/calibration/table.ts'
import { greatestOf } from '../core/calibration/tail.ts'
import { THRESHOLDS } from '../core/contract/thresholds.ts'
import { chosenPack } from '../core/recognition/chosen-pack.ts'
import { type Calibration, MANIFEST } from '../models/manifest.ts'
import { PACK_CALIBRATION, packFolder } from '../models/packs.ts'
import { exists, fixed, fromCaller, type Outcome, progress, table } from './benchmark.ts'
import { BANDS, type Band, cosinesOf, EVERYBODY } from './faces/bands.ts'
import { type Person, readPeople } from './faces/people.ts'

export const description =
  'all pairs of pictures: what scores of strangers mean, the calibration table, and true matches by band'

export const options = {
  images: { type: 'string' },
  limit: { type: 'string' },
  pack: { type: 'string' },
  data: { type: 'string' },
  update: { type: 'boolean' },
} as const

/** The false match rates that the contract's named thresholds promise. */
const PROMISED = [
  { rate: 1e-1, confidence: THRESHOLDS.low },
  { rate: 1e-3, confidence: THRESHOLDS.medium },
  { rate: 1e-5, confidence: THRESHOLDS.strict },
] as const

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
  images?: string
  /** Only so many pictures. */
  limit?: string
  /** The chosen one of the data folder unless given. */
  pack?: string
  data?: string
  /** Keeps the table: of a pack that is built in the manifest, of another in the data folder. */
  update?: boolean
}): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }

  const data = fromCaller(values.data ?? process.env.MIEN_DATA ?? 'data')
  const pack = await chosenPack(data, values.pack ?? process.env.MIEN_PACK)
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  const { people, failures } = await readPeople(images, pack, limit, (done, total) => {
    if (done % 500 < 16) progress(`${done} of ${total} pictures`)
  })
  const all = cosinesOf(people)
  const calibration = tableOf(all)
  const enough = all.strangers.length >= LEAST_STRANGERS
  const where = values.update && enough ? await keep(calibration, data, pack.name) : undefined
  const bands = [EVERYBODY, ...BANDS].map(band => measured(band, people, all, calibration))
  return outcome({ pack: pack.name, people: people.length, failures, calibration, bands }, where)
}

const tableOf = ({ strangers }: PairScores): Calibration => [
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

/** Where the table was put. */
async function keep(calibration: Calibration, data: string, pack: string): Promise<string> {
  if (!MANIFEST.packs[pack]?.embedder.calibration) {
    const path = join(packFolder(data, pack), PACK_CALIBRATION)
    await mkdir(packFolder(data, pack), { recursive: true, mode: 0o700 })
    await writeFile(path, `${JSON.stringify(calibration)}\n`)
    return path
  }
  const manifest = JSON.parse(await readFile(MANIFEST_FILE, 'utf8'))
  manifest.packs[pack].embedder.calibration = calibration
  await writeFile(MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`)
  return `${MANIFEST_FILE} (now "npm run format")`
}

interface Results {
  pack: string
  people: number
  failures: number
  calibration: Calibration
  bands: Measured[]
}

function outcome(results: Results, where: string | undefined): Outcome {
  const { people, failures, calibration, bands } = results
  const [all] = bands
  const percent = (share: number) => `${fixed(100 * share)} %`
  const rate = (share: number) => share.toExponential(1)
  return {
    table: [
      `${people} people, ${all!.strangers} pairs of strangers, ${all!.same} of one person, ${failures} pictures without a face`,
      table([
        ['false match rate', 'score', 'true match rate'],
        ...all!.curve.map(({ falseMatches, score, trueMatches }) => [
          rate(falseMatches),
          score,
          percent(trueMatches),
        ]),
      ]),
      'Age and gender are our own estimates of each person; strangers are both of the band:',
      table([
        [
          'band',
          'people',
          'pairs of one person',
          ...all!.named.flatMap(({ name }) => [`${name}: false`, 'true']),
        ],
        ...bands.map(band => [
          band.name,
          band.people,
          band.same,
          ...band.named.flatMap(({ falseMatches, trueMatches }) => [
            rate(falseMatches),
            percent(trueMatches),
          ]),
        ]),
      ]),
      `calibration: ${JSON.stringify(calibration)}, ${where ? `kept in ${where}` : 'not kept'}`,
      ...(all!.strangers < LEAST_STRANGERS
        ? [
            `It is not to be relied on: "strict" takes ${LEAST_STRANGERS} pairs of strangers, that is 800 people.`,
          ]
        : []),
    ].join('\n\n'),
    result: { ...results },
  }
}
