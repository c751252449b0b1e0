/** What a score means: every two pictures compared, the false match rate of each score, and the table that follows. */
import { access, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { THRESHOLDS } from '../core/contract/thresholds.ts'
import { dot } from '../core/store/unit-vector.ts'
import { fixed, fromCaller, type Outcome, table } from './benchmark.ts'
import { embedPictures } from './faces/embed-pictures.ts'
import { ScoreHistogram } from './faces/score-histogram.ts'

export const description =
  'all pairs of pictures: the score at each false match rate, and the calibration table'

export const options = {
  images: { type: 'string' },
  limit: { type: 'string' },
} as const

/** The false match rates that the contract's named thresholds promise. */
const PROMISED = [
  { rate: 1e-1, confidence: THRESHOLDS.low },
  { rate: 1e-3, confidence: THRESHOLDS.medium },
  { rate: 1e-5, confidence: THRESHOLDS.strict },
] as const

/** Measured beside them, to draw the curve. */
const RATES = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]

interface Picture {
  person: string
  embedding: Float32Array
}

export async function run(values: { images?: string; limit?: string }): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  const there = await access(images).then(
    () => true,
    () => false,
  )
  if (!there) return { table: `skipped: there is no ${images}`, result: { skipped: true } }

  const limit = values.limit === undefined ? undefined : Number(values.limit)
  const paths = (await picturesIn(images)).slice(0, limit)
  const embeddings = await embedPictures(paths, 'central', showProgress(paths.length))
  const pictures = paths.flatMap(path => {
    const embedding = embeddings.get(path)
    return embedding ? [{ person: basename(dirname(path)), embedding }] : []
  })
  return outcome(compareAll(pictures), paths.length - pictures.length)
}

/** Pictures of one person lie in a folder of that person's name. */
const picturesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }))
    .filter(file => file.endsWith('.jpg') && dirname(file) !== '.')
    .sort()
    .map(file => join(folder, file))

const showProgress = (total: number) => (done: number) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total} pictures`)
}

interface Comparisons {
  impostor: ScoreHistogram
  genuine: ScoreHistogram
}

function compareAll(pictures: readonly Picture[]): Comparisons {
  const comparisons = { impostor: new ScoreHistogram(), genuine: new ScoreHistogram() }
  for (const [i, a] of pictures.entries()) {
    for (let j = 0; j < i; j++) {
      const b = pictures[j]!
      const kind = a.person === b.person ? comparisons.genuine : comparisons.impostor
      kind.add(dot(a.embedding, b.embedding, 0))
    }
  }
  return comparisons
}

function outcome({ impostor, genuine }: Comparisons, failures: number): Outcome {
  const curve = RATES.map(rate => {
    const score = impostor.scoreAbove(rate)
    return { fmr: rate, score: fixed(score, 4), tmr: fixed(genuine.shareAbove(score), 4) }
  })
  const calibration = [
    [0, 0],
    ...PROMISED.map(({ rate, confidence }) => [fixed(impostor.scoreAbove(rate), 4), confidence]),
    [1, 1],
  ]
  const counts = { impostorPairs: impostor.count, genuinePairs: genuine.count, failures }
  const rows = curve.map(({ fmr, score, tmr }) => [fmr.toExponential(), score, `${fixed(tmr * 100)} %`])
  return {
    table: [
      `${counts.impostorPairs} impostor pairs, ${counts.genuinePairs} genuine pairs, ${failures} pictures without a face`,
      table([['false match rate', 'score', 'true match rate'], ...rows]),
      `calibration for the manifest: ${JSON.stringify(calibration)}`,
    ].join('\n\n'),
    result: { ...counts, curve, calibration },
  }
}
