/** Groups an operator's pictures by person, and embeds them as the service does. */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../contract/errors.ts'
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import type { Estimated } from '../../core/calibration/demographics.ts'
import { spread } from '../../core/calibration/people.ts'
import { openEmbedder } from '../../core/embedding/embedder.ts'
import { type Estimator, openEstimator } from '../../core/embedding/estimator.ts'
import { openAnalyzer } from '../../core/photos/analyze.ts'
import { unitVector } from '../../core/vector-store/unit-vector.ts'
import type { PlacedPack } from '../../models/packs.ts'
import type { FaceChip } from '../../wasm/alignment/align.ts'
import { FileRefused, readPhotoFile } from '../terminal/bounded-file.ts'

const PICTURE = /\.(jpe?g|png|webp)$/i

/**
 * Paths of pictures by person. The pictures of one subfolder show one person; each picture directly in the folder shows
 * another.
 */
export async function picturesByPerson(folder: string): Promise<string[][]> {
  const files = (await readdir(folder, { recursive: true })).filter(file => PICTURE.test(file)).sort()
  const people = [...Map.groupBy(files, file => (dirname(file) === '.' ? file : dirname(file))).values()]
  return bounded(people).map(person => person.map(file => join(folder, file)))
}

/** At most PACK_LIMITS.calibrationPictures: reduces the pictures per person before the number of people. */
function bounded(people: readonly string[][]): string[][] {
  const most = PACK_LIMITS.calibrationPictures
  if (people.flat().length <= most) return [...people]
  const each = Math.max(1, Math.floor(most / people.length))
  return spread(people, most).map(person => person.slice(0, each))
}

/**
 * Embeds the biggest face of each picture: unit embeddings of the people with at least one detected face, and their estimated
 * attributes in the same order. `without` counts pictures without a face, and files that are no pictures. `onPicture` receives
 * the number of pictures done.
 */
export async function embedPeople(
  pack: PlacedPack,
  paths: readonly (readonly string[])[],
  onPicture: (done: number) => void,
) {
  const embedder = await openEmbedder({ pack })
  const estimator = await openEstimator({ pack })
  const analyzer = openAnalyzer({ pack })
  let done = 0
  try {
    const people: Float32Array[][] = []
    const estimated: Estimated[] = []
    let without = 0
    for (const person of paths) {
      const embeddings: Promise<Float32Array>[] = []
      const chips: FaceChip[] = []
      for (const path of person) {
        const analysis = await readPhotoFile(path)
          .then(bytes => analyzer.analyze(bytes, { selector: 'biggest', boxes: [] }, 'photo'))
          .catch(nothingFound)
        const chip = analysis?.selected[0]?.chip
        if (chip) {
          chips.push(chip)
          embeddings.push(embedder.embed([chip]).then(([embedding]) => unitVector(embedding!)))
        } else without++
        onPicture(++done)
      }
      if (embeddings.length === 0) continue
      people.push(await Promise.all(embeddings))
      estimated.push(await estimateOf(estimator, chips))
    }
    return { people, estimated, pictures: people.flat().length, without }
  } finally {
    await Promise.all([analyzer.close(), embedder.close(), estimator.close()])
  }
}

/** Number of pictures per person for age and gender; more do not improve the estimate. */
const ESTIMATED = 3

async function estimateOf(estimator: Estimator, chips: readonly FaceChip[]): Promise<Estimated> {
  const faces = chips.slice(0, ESTIMATED).map(chip => ({ chip }))
  const estimates = await estimator.estimate(faces, { age: true, gender: true, emotions: false })
  const mean = (value: (estimate: (typeof estimates)[number]) => number) =>
    estimates.reduce((sum, estimate) => sum + value(estimate), 0) / estimates.length
  return { age: mean(({ age }) => age!), female: mean(({ gender }) => Number(gender === 'female')) }
}

/** Ignores errors that the picture causes, and rethrows others. */
function nothingFound(error: unknown): undefined {
  if (error instanceof FileRefused) return
  if (!(error instanceof ServiceError) || error.code === 'SERVICE_UNAVAILABLE') throw error
}
