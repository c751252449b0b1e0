/** Measures how well the quality score predicts recognition: error versus discard on degraded pictures. */
import { THRESHOLDS } from '#contract/model/thresholds.ts'
import type { Calibration } from '#models/calibrations.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { type Shortfalls, shortfallsOf } from '#wasm/quality/quality-score.ts'
import { exists, fixed, fromCaller, median, type Outcome, table } from '../benchmark.ts'
import { DEGRADATIONS, type DegradationName } from '../lib/measures/degrade.ts'
import { degradedPeople, type Sample } from '../lib/measures/degraded-people.ts'
import { errorsVersusDiscard, leastError, type Probe } from '../lib/measures/discard.ts'
import { type Case, fitLogistic } from '../lib/measures/logistic.ts'

export const description =
  'error versus discard by quality; half of the faces are degraded by blur, noise, darkness, occlusion, pose or size'

export const options = { images: { type: 'string' }, people: { type: 'string' } } as const

const PEOPLE = 400

const DISCARDED = [0, 0.05, 0.1, 0.2, 0.3] as const

type Face = NonNullable<Sample['face']>
type Found = Sample & { readonly face: Face }

/**
 * Compared rankings of faces: the quality score, the detector's score alone, and the length of the embedding, which
 * only core has.
 */
const MEASURES: Record<string, (face: Face) => number> = {
  quality: ({ quality }) => quality.quality!,
  "detector's score": ({ quality }) => quality.score!,
  "embedding's norm": ({ norm }) => norm,
}

export async function run(values: { images?: string; people?: string }): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }
  const samples = await degradedPeople(images, Number(values.people ?? PEOPLE))
  const found = samples.filter((sample): sample is Found => sample.face !== undefined)
  const people = [...new Set(found.map(({ person }) => person))]
  const fitted = new Set(people.filter((_, i) => i % 2 === 0))
  const checked = found.filter(({ person }) => !fitted.has(person))
  const calibration = STANDARD_PACK.embedder.calibration.default
  const thresholds = {
    strict: cosineAt(calibration, THRESHOLDS.strict),
    medium: cosineAt(calibration, THRESHOLDS.medium),
  }
  const curves = Object.entries(thresholds).flatMap(([threshold, cosine]) =>
    [ownPhoto, otherPhotos].flatMap(scoresOf => curvesOf(checked, threshold, cosine, scoresOf)),
  )
  const kinds = kindsOf(samples, thresholds.strict)
  const fit = fitOf(
    found.filter(({ person }) => fitted.has(person)),
    thresholds.medium,
  )
  return {
    table: [
      `${checked.length} faces of people that the formula was not fitted to`,
      tableOfCurves(curves),
      tableOfKinds(kinds),
      `Fitted to the other people: ${JSON.stringify(fit)}`,
    ].join('\n\n'),
    result: { faces: checked.length, thresholds, discarded: DISCARDED, curves, kinds, fit },
  }
}

/** The cosine that has this confidence. */
function cosineAt(calibration: Calibration, confidence: number): number {
  const above = calibration.findIndex(([, reached]) => reached >= confidence)
  const [[low, from], [high, to]] = [calibration[above - 1]!, calibration[above]!]
  return fixed(low + ((high - low) * (confidence - from)) / (to - from), 4)
}

/** Scores of a face against undegraded pictures of the same person. */
type ScoresOf = (face: Found, all: readonly Found[]) => number[]

/** Scores against the original picture: the effect of the degradation alone. 1 for undegraded pictures. */
const ownPhoto: ScoresOf = ({ face, person, file }, all) =>
  all
    .filter(other => !other.degradation && other.person === person && other.file === file)
    .map(other => cosine(face.embedding, other.face.embedding))

/** Scores against other pictures, as in normal use. */
const otherPhotos: ScoresOf = ({ face, person, file }, all) =>
  all
    .filter(other => !other.degradation && other.person === person && other.file !== file)
    .map(other => cosine(face.embedding, other.face.embedding))

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0)

interface Curve {
  threshold: string
  against: string
  by: string
  /** False non-match rates, one per share of DISCARDED. */
  errors: number[]
}

function curvesOf(faces: readonly Found[], threshold: string, limit: number, scoresOf: ScoresOf): Curve[] {
  const against = scoresOf === ownPhoto ? 'own photo' : 'other photos'
  const scored = faces
    .map(face => ({ face: face.face, scores: scoresOf(face, faces) }))
    .filter(({ scores }) => scores.length > 0)
  const curve = (by: string, errors: number[]) => ({
    threshold,
    against,
    by,
    errors: errors.map(error => fixed(error, 4)),
  })
  const curves = Object.entries(MEASURES).map(([by, measure]) => {
    const probes: Probe[] = scored.map(({ face, scores }) => ({ quality: measure(face), scores }))
    return curve(by, errorsVersusDiscard(probes, limit, DISCARDED))
  })
  const atFirst = curves[0]!.errors[0]!
  return [
    ...curves,
    curve(
      'the best possible',
      DISCARDED.map(share => leastError(atFirst, share)),
    ),
  ]
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

function tableOfCurves(curves: readonly Curve[]): string {
  const head = ['threshold, against', 'discarded by', ...DISCARDED.map(share => `FNMR, ${100 * share} % out`)]
  const rows = curves.map(({ threshold, against, by, errors }) => {
    const [first = 0] = errors
    const less = (error: number) => (error === first ? '' : ` (-${Math.round(100 * (1 - error / first))} %)`)
    return [`${threshold}, ${against}`, by, ...errors.map(error => percent(error) + less(error))]
  })
  return table([head, ...rows])
}

/** Results by kind of degradation: faces still found, their quality, and matches with their original. */
function kindsOf(samples: readonly Sample[], limit: number) {
  const found = samples.filter((sample): sample is Found => sample.face !== undefined)
  return [undefined, ...(Object.keys(DEGRADATIONS) as DegradationName[])].map(kind => {
    const all = samples.filter(({ degradation }) => degradation === kind)
    const faces = found.filter(({ degradation }) => degradation === kind)
    const failed = faces.filter(face => ownPhoto(face, found).some(score => score < limit))
    return {
      kind: kind ?? 'as it is',
      pictures: all.length,
      found: faces.length,
      quality: fixed(median(faces.map(({ face }) => face.quality.quality!)), 3),
      failed: fixed(failed.length / faces.length, 3),
    }
  })
}

function tableOfKinds(kinds: ReturnType<typeof kindsOf>): string {
  const head = ['degraded by', 'pictures', 'faces found', 'median quality', 'FNMR at strict, own photo']
  return table([
    head,
    ...kinds.map(({ kind, pictures, found, quality, failed }) => [
      kind,
      pictures,
      found,
      quality,
      percent(failed),
    ]),
  ])
}

/** Constant and costs of the formula, fitted to these faces. The names are those in wasm/quality/quality-score.ts. */
function fitOf(faces: readonly Found[], limit: number) {
  const cases = faces.flatMap((found): Case[] => {
    const inputs = Object.values(shortfallsOf(found.face.quality))
    const scores = otherPhotos(found, faces)
    return scores.map(score => ({ inputs, happened: score >= limit, weight: 1 / scores.length }))
  })
  const { constant, costs } = fitLogistic(cases)
  const names = Object.keys(shortfallsOf(faces[0]!.face.quality)) as (keyof Shortfalls)[]
  return {
    constant: fixed(constant, 2),
    costs: Object.fromEntries(names.map((name, i) => [name, fixed(costs[i]!, 3)])),
  }
}
