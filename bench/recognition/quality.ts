/** Measures how well the quality score predicts recognition: error versus discard on degraded pictures. */
import { THRESHOLDS } from '#contract/model/thresholds.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import type { Calibration } from '#models/calibrations.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { type Shortfalls, shortfallsOf } from '#wasm/quality/quality-score.ts'
import { benchmark, existing } from '../benchmark.ts'
import { DEGRADATIONS, type DegradationName } from '../lib/faces/degrade.ts'
import { degradedPeople, type Sample } from '../lib/faces/degraded-people.ts'
import { type Case, errorsVersusDiscard, fitLogistic, leastError } from '../lib/statistics/quality.ts'
import { fixed, median } from '../statistics.ts'

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

export default benchmark({
  description:
    'error versus discard by quality; half of the faces are degraded by blur, noise, darkness, occlusion, pose or size',
  options: { images: '../shared/data/lfw-dev', people: 400 },
  async run({ images, people: count }) {
    const samples = await degradedPeople(await existing(images), count)
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
      Object.entries({ 'own photo': true, 'other photos': false }).flatMap(([against, isOwn]) =>
        curvesOf(checked, cosine, isOwn).map(curve => ({ threshold, against, ...curve })),
      ),
    )
    const toFit = found.filter(({ person }) => fitted.has(person))
    return {
      faces: checked.length,
      thresholds,
      curves,
      kinds: kindsOf(samples, thresholds.strict),
      fit: fitOf(toFit, thresholds.medium),
    }
  },
})

/** The cosine that has this confidence. */
function cosineAt(calibration: Calibration, confidence: number): number {
  const above = calibration.findIndex(([, reached]) => reached >= confidence)
  const [[low, from], [high, to]] = [calibration[above - 1]!, calibration[above]!]
  return fixed(low + ((high - low) * (confidence - from)) / (to - from), 4)
}

/**
 * Scores of a face against undegraded pictures of the same person: the original picture, which shows the effect of the
 * degradation alone, or the other pictures, as in normal use.
 */
const scoresOf = ({ face, person, file }: Found, all: readonly Found[], isOwn: boolean): number[] =>
  all
    .filter(other => !other.degradation && other.person === person && (other.file === file) === isOwn)
    .map(other => dot(face.embedding, other.face.embedding, 0))

/** False non-match rates after discarding each share of the faces, by each measure. */
function curvesOf(faces: readonly Found[], limit: number, isOwn: boolean) {
  const scored = faces
    .map(face => ({ face: face.face, scores: scoresOf(face, faces, isOwn) }))
    .filter(({ scores }) => scores.length > 0)
  const curves = Object.entries(MEASURES).map(([by, measure]) => {
    const probes = scored.map(({ face, scores }) => ({ quality: measure(face), scores }))
    return { by, errors: errorsVersusDiscard(probes, limit, DISCARDED) }
  })
  const [first = 0] = curves[0]!.errors
  const best = { by: 'the best possible', errors: DISCARDED.map(share => leastError(first, share)) }
  return [...curves, best].map(({ by, errors }) => ({
    by,
    errors: Object.fromEntries(errors.map((error, i) => [`${100 * DISCARDED[i]!} % out`, fixed(error, 4)])),
  }))
}

/** Results by kind of degradation: faces still found, their quality, and matches with their original at `limit`. */
function kindsOf(samples: readonly Sample[], limit: number) {
  const found = samples.filter((sample): sample is Found => sample.face !== undefined)
  return [undefined, ...(Object.keys(DEGRADATIONS) as DegradationName[])].map(kind => {
    const faces = found.filter(({ degradation }) => degradation === kind)
    const failed = faces.filter(face => scoresOf(face, found, true).some(score => score < limit))
    return {
      kind: kind ?? 'as it is',
      pictures: samples.filter(({ degradation }) => degradation === kind).length,
      found: faces.length,
      quality: fixed(median(faces.map(({ face }) => face.quality.quality!)), 3),
      failed: fixed(failed.length / faces.length, 3),
    }
  })
}

/** Constant and costs of the formula, fitted to these faces. The names are those in wasm/quality/quality-score.ts. */
function fitOf(faces: readonly Found[], limit: number) {
  const cases = faces.flatMap((found): Case[] => {
    const inputs = Object.values(shortfallsOf(found.face.quality))
    const scores = scoresOf(found, faces, false)
    return scores.map(score => ({ inputs, happened: score >= limit, weight: 1 / scores.length }))
  })
  const { constant, costs } = fitLogistic(cases)
  const names = Object.keys(shortfallsOf(faces[0]!.face.quality)) as (keyof Shortfalls)[]
  return {
    constant: fixed(constant, 2),
    costs: Object.fromEntries(names.map((name, i) => [name, fixed(costs[i]!, 3)])),
  }
}
