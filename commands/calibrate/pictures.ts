/** An operator's pictures: whose they are, and the embedding of each, made as the service makes them. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { spread } from '../../core/calibration/people.ts'
import { ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import { openEmbedder } from '../../core/embedding/embedder.ts'
import { openLooker } from '../../core/photos/look.ts'
import { unitVector } from '../../core/store/unit-vector.ts'
import type { PlacedPack } from '../../models/packs.ts'

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
  const looker = openLooker({ pack })
  let done = 0
  try {
    const people: Float32Array[][] = []
    let without = 0
    for (const person of paths) {
      const own: Promise<Float32Array>[] = []
      for (const path of person) {
        const sighting = await looker
          .look(new Uint8Array(await readFile(path)), { selector: 'biggest', boxes: [] }, 'photo')
          .catch(nothingFound)
        const chip = sighting?.selected[0]?.chip
        if (chip) own.push(embedder.embed([chip]).then(([embedding]) => unitVector(embedding!)))
        else without++
        onPicture(++done)
      }
      if (own.length > 0) people.push(await Promise.all(own))
    }
    return { people, pictures: people.flat().length, without }
  } finally {
    await Promise.all([looker.close(), embedder.close()])
  }
}

/** What the picture is to blame for. */
function nothingFound(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code === 'SERVICE_UNAVAILABLE') throw error
}
