/** An operator's pictures: whose they are, and the embedding of each, made as the service makes them. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Estimated } from '../../core/calibration/make-up.ts'
import { spread } from '../../core/calibration/people.ts'
import { ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import { openEmbedder } from '../../core/embedding/embedder.ts'
import { type Estimator, openEstimator } from '../../core/embedding/estimator.ts'
import { openAnalyzer } from '../../core/photos/analyze.ts'
import { unitVector } from '../../core/vector-store/unit-vector.ts'
import type { PlacedPack } from '../../models/packs.ts'
import type { FaceChip } from '../../wasm/alignment/align.ts'

const PICTURE = /\.(jpe?g|png|webp)$/i

/** Pictures by person. Those in one folder are of one person; those that lie in the given folder itself are of another each. */
export async function picturesByPerson(folder: string): Promise<string[][]> {
  const files = (await readdir(folder, { recursive: true })).filter(file => PICTURE.test(file)).sort()
  const people = [...Map.groupBy(files, file => (dirname(file) === '.' ? file : dirname(file))).values()]
  return bounded(people).map(person => person.map(file => join(folder, file)))
}

/** At most LIMITS.calibrationPictures: rather fewer of each person than fewer people. */
function bounded(people: readonly string[][]): string[][] {
  const most = LIMITS.calibrationPictures
  if (people.flat().length <= most) return [...people]
  const each = Math.max(1, Math.floor(most / people.length))
  return spread(people, most).map(person => person.slice(0, each))
}

export interface EmbeddedPeople {
  /** Unit embeddings of those whose face was found on a picture at least. */
  people: Float32Array[][]
  /** What their pictures were taken for, in the same order. */
  estimated: Estimated[]
  pictures: number
  /** Pictures without a face, and files that are no pictures. */
  without: number
}

/** The biggest face of each picture. `onPicture` is told how many are done. */
export async function embedPeople(
  pack: PlacedPack,
  paths: readonly (readonly string[])[],
  onPicture: (done: number) => void,
): Promise<EmbeddedPeople> {
  const embedder = await openEmbedder({ pack })
  const estimator = await openEstimator({ pack })
  const looker = openAnalyzer({ pack })
  let done = 0
  try {
    const people: Float32Array[][] = []
    const estimated: Estimated[] = []
    let without = 0
    for (const person of paths) {
      const own: Promise<Float32Array>[] = []
      const chips: FaceChip[] = []
      for (const path of person) {
        const sighting = await looker
          .look(new Uint8Array(await readFile(path)), { selector: 'biggest', boxes: [] }, 'photo')
          .catch(nothingFound)
        const chip = sighting?.selected[0]?.chip
        if (chip) {
          chips.push(chip)
          own.push(embedder.embed([chip]).then(([embedding]) => unitVector(embedding!)))
        } else without++
        onPicture(++done)
      }
      if (own.length === 0) continue
      people.push(await Promise.all(own))
      estimated.push(await estimateOf(estimator, chips))
    }
    return { people, estimated, pictures: people.flat().length, without }
  } finally {
    await Promise.all([looker.close(), embedder.close(), estimator.close()])
  }
}

/** The first few pictures of a person tell age and gender as well as all do. */
const ESTIMATED = 3

async function estimateOf(estimator: Estimator, chips: readonly FaceChip[]): Promise<Estimated> {
  const faces = chips.slice(0, ESTIMATED).map(chip => ({ chip }))
  const said = await estimator.estimate(faces, { age: true, gender: true, emotions: false })
  const mean = (value: (one: (typeof said)[number]) => number) =>
    said.reduce((sum, one) => sum + value(one), 0) / said.length
  return { age: mean(({ age }) => age!), female: mean(({ gender }) => Number(gender === 'female')) }
}

/** What the picture is to blame for. */
function nothingFound(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code === 'SERVICE_UNAVAILABLE') throw error
}
