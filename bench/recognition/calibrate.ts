/** Compares all pairs of pictures: computes the false match rate of each score and the calibration tables. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { THRESHOLDS } from '#contract/model/face.ts'
import { calibrationCurve } from '#core/calibration/scale.ts'
import type { Calibration, Calibrations } from '#models/calibrations.ts'
import { chosenPack, PACK_CALIBRATION, packFolder } from '#models/packs.ts'
import { benchmark, DATA, existing, exists, fromCaller } from '../benchmark.ts'
import { cosinesOf, readPeople, readPopulation } from '../lib/faces/read-faces.ts'
import { type GroupTables, groupTables, shareOf, THRESHOLD_NAMES } from '../lib/statistics/group-tables.ts'
import { greatestOf, type PairScores } from '../lib/statistics/pair-scores.ts'
import { PROMISED } from '../lib/statistics/tables.ts'
import { ROOT } from '../rig.ts'
import { fixed } from '../statistics.ts'

/** Minimum impostor pairs to keep a table: three of them score above `strict`. */
const LEAST_STRANGERS = 300_000

/** A balanced population: one picture per person, with labels. */
const GROUPS = '../shared/data/attributes/groups'

const MANIFEST_FILE = join(ROOT, 'models', 'manifest.json')

export default benchmark({
  description: 'calibration tables from all pairs of pictures, with false and true match rates',
  options: {
    /** A folder of pictures per person. An operator's pictures are not mixed with the balanced population. */
    images: '../shared/data/lfw-dev',
    /** The population of the tables. Without one they come from `images`. */
    groups: '',
    limit: 0,
    pack: process.env.MIEN_PACK ?? '',
    data: DATA,
    /** Keeps the tables: for a built pack in the manifest, for other packs in the data folder. */
    update: false,
  },
  async run({ images, groups, limit, update, ...given }) {
    const folder = await existing(images)
    const data = fromCaller(given.data)
    const pack = await chosenPack(data, given.pack || undefined)
    const { people, failures } = await readPeople(folder, pack, limit)
    const all = cosinesOf(people)
    const population = fromCaller(groups || GROUPS)
    const isMixed = (groups !== '' || images === this.options.images) && (await exists(population))
    const mixed = isMixed ? groupTables(await readPopulation(population, pack), all.same) : undefined
    const calibrations = mixed?.calibrations ?? { default: plainTable(all) }
    const strangers = mixed?.pairs ?? all.strangers.length
    const isEnough = strangers >= LEAST_STRANGERS
    const where = update && isEnough ? await keepTables(calibrations, data, pack.name) : undefined
    return {
      pack: pack.name,
      people: people.length,
      failures,
      strangers,
      kept: where ?? 'no',
      ...(!isEnough && { warning: `"strict" takes ${LEAST_STRANGERS} pairs of strangers: 800 people` }),
      calibrations,
      ...(mixed && { mixed: mixedRows(mixed) }),
      rates: ratesOf(all, calibrationCurve(calibrations.default)),
    }
  },
})

/** False and true match rates at the named thresholds. The true match rate is NaN when no person has two pictures. */
const ratesOf = ({ strangers, same }: PairScores, confidence: (score: number) => number) =>
  THRESHOLD_NAMES.map(name => {
    const reaches = (score: number) => confidence(score) >= THRESHOLDS[name]
    return { name, falseMatches: shareOf(strangers, reaches), trueMatches: shareOf(same, reaches) }
  })

/** The table of people without labels: counted over all pairs of different people. */
const plainTable = ({ strangers }: PairScores): Calibration => [
  [0, 0],
  ...PROMISED.map(
    ({ rate, confidence }) => [fixed(greatestOf(strangers, rate), 4), confidence] as [number, number],
  ),
  [1, 1],
]

/** Writes the tables and returns their path. */
async function keepTables(calibrations: Calibrations, data: string, pack: string) {
  const manifest = JSON.parse(await readFile(MANIFEST_FILE, 'utf8'))
  const entry = manifest.packs[pack]
  const shipped = entry?.calibration ? entry : entry?.embedder
  if (!shipped?.calibration) {
    const path = join(packFolder(data, pack), PACK_CALIBRATION)
    await mkdir(packFolder(data, pack), { recursive: true, mode: 0o700 })
    await writeFile(path, `${JSON.stringify(calibrations)}\n`)
    return path
  }
  shipped.calibration = calibrations
  await writeFile(MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`)
  return `models/manifest.json (now "npm run format")`
}

/** Error rates of both tables. Pairs from `bar` up may show one person and are left out. */
function mixedRows({ calibrations: { measured: reached }, scores, ...counted }: GroupTables) {
  const thresholds = (['default', 'alike'] as const).flatMap(table =>
    scores[table].map(({ name, ...score }) => {
      const { strangers, alike, worst, same } = reached![table]![name]
      return { table, threshold: name, ...score, anyTwo: strangers, alike, worst, same }
    }),
  )
  return { ...counted, thresholds }
}
