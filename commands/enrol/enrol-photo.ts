/** Enrols one photo: request, outcome, and the searches that explain the outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Box,
  type Face,
  type IdentifyParameters,
  type MienClient,
  MienError,
} from '../../clients/typescript/src/index.ts'
import type { JobLine } from './job.ts'
import type { OutcomeName } from './outcome.ts'
import type { Row } from './row.ts'

export interface EnrolSettings {
  /** Repeats requests that the service could not take. */
  client: MienClient
  /** Least quality of a face, 0..1. */
  minQuality?: number | undefined
  /** Search each enrolled face among faces with other metas, with this threshold. */
  checkOthers?: NonNullable<IdentifyParameters['threshold']> | undefined
}

/** Outcomes by the code of a refusal. Another code stops the run. */
const REFUSALS: Readonly<Record<string, OutcomeName>> = {
  NO_FACES: 'no_face',
  TOO_MANY_FACES: 'several_faces',
  LOW_QUALITY: 'poor_quality',
  BAD_IMAGE: 'unreadable',
  PHOTO_TOO_LARGE: 'unreadable',
  BAD_PARAM: 'refused',
  INTERNAL_ERROR: 'failed',
}

/** Status of a proxy that takes smaller bodies than the service. */
const TOO_LARGE = 413

interface Photo {
  row: Row
  /** Idempotency-Key. */
  key: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Undefined for an error that concerns every photo. */
function outcomeOf(error: unknown): OutcomeName | undefined {
  if (!(error instanceof MienError)) return undefined
  return error.status === TOO_LARGE ? 'unreadable' : REFUSALS[error.code]
}

/** Outcome of a photo. Rejects with an error of the client that concerns every photo. */
export async function enrolPhoto(
  settings: EnrolSettings,
  photo: Photo,
): Promise<Partial<JobLine> & Pick<JobLine, 'outcome'>> {
  try {
    const { faces, ...seen } = await enrolled(settings, photo)
    const similar = await similarFace(settings, photo, faces)
    return { outcome: 'enrolled', faces: faces.map(({ id }) => id), ...seen, ...(similar && { similar }) }
  } catch (error) {
    const outcome = outcomeOf(error)
    if (!(error instanceof MienError) || outcome === undefined) throw error
    if (error.param === 'Idempotency-Key') return { outcome: 'duplicate', reason: REPEATED }
    if (outcome === 'no_face' && (await hasSmallFace(settings, photo)))
      return { outcome: 'too_small', reason: 'A face is found when the photo is enlarged.' }
    return { outcome, reason: error.reason }
  }
}

/** Attempts of a request that ends with an internal error, and milliseconds between them. */
const ATTEMPTS = 3
const PAUSE_MS = 500

/** Sends a request, and again after an internal error. */
async function send<Answer>(request: () => Promise<Answer>, attempt = 1): Promise<Answer> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof MienError && error.status === 500) || attempt === ATTEMPTS) throw error
    await sleep(PAUSE_MS)
    return send(request, attempt + 1)
  }
}

const REPEATED = 'Another file with the same photo and fields was enrolled within 24 hours.'

/**
 * Faces of the photo, and the number of faces on it if one of several was enrolled. A repeated request returns the faces of the first one, except deleted ones. Without any face left, the
 * photo is enrolled again under the next key.
 */
async function enrolled(
  { client, minQuality }: EnrolSettings,
  photo: Photo,
): Promise<{ faces: Face[]; seen?: number }> {
  const { row } = photo
  const file = new File([photo.bytes], row.name)
  const parameters = {
    meta: row.meta,
    ...(row.person !== undefined && { person: row.person }),
    mf_selector: row.selector,
    ...(row.galleries.length > 0 && { galleries: row.galleries }),
    ...(row.camera !== undefined && { cam_id: row.camera }),
    ...(row.time !== undefined && { timestamp: row.time }),
    ...(minQuality !== undefined && { min_quality: minQuality }),
  }
  let shown: { seen?: number } = {}
  const onFacesSeen = (seen: number) => {
    shown = { seen }
  }
  for (let round = 1; ; round++) {
    const idempotencyKey = round === 1 ? photo.key : `${photo.key}-${round}`
    const faces = await send(() => client.faces.enrol(file, parameters, { idempotencyKey, onFacesSeen }))
    if (faces.length > 0) return { faces, ...shown }
  }
}

/** Candidates of a search for similar faces. The person's own faces are among them. */
const CANDIDATES = 20

/** The most similar face with another meta, if the settings ask for it. */
async function similarFace(
  { client, checkOthers }: EnrolSettings,
  { row, bytes }: Photo,
  faces: readonly Face[],
): Promise<JobLine['similar']> {
  if (checkOthers === undefined || row.meta === '') return undefined
  const bbox = faces.map(({ x1, y1, x2, y2 }): Box => ({ x1, y1, x2, y2 }))
  const parameters = { bbox, threshold: checkOthers, n: CANDIDATES }
  const { results } = await send(() => client.identify(bytes, parameters))
  const [first] = Object.values(results)
    .flat()
    .filter(({ face }) => face.meta !== row.meta && face.meta !== '')
    .sort((a, b) => b.confidence - a.confidence)
  return first && { face: first.face.id, meta: first.face.meta, confidence: first.confidence }
}

/** Whether the photo has a face that is too small to enrol. */
async function hasSmallFace({ client }: EnrolSettings, { bytes }: Photo): Promise<boolean> {
  const larger = await enlarged(bytes)
  if (!larger) return false
  try {
    const { faces } = await send(() => client.detect(larger))
    return faces.length > 0
  } catch (error) {
    // The enlarged photo may exceed a bound of the service. The photo itself has no face.
    if (outcomeOf(error) === undefined) throw error
    return false
  }
}

const FACTOR = 2

/** Longest side of an enlarged photo in pixels. Larger photos do not lack pixels. */
const LONGEST_SIDE = 4_096

/** The photo at twice its size, as JPEG; undefined if it has more pixels than that, or cannot be read. */
async function enlarged(photo: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // Most runs need no image library.
  const { default: sharp } = await import('sharp')
  try {
    const image = sharp(photo, { limitInputPixels: (LONGEST_SIDE / FACTOR) ** 2 })
    const { width, height } = await image.metadata()
    if (FACTOR * Math.max(width, height) > LONGEST_SIDE) return undefined
    const size = { width: FACTOR * width, height: FACTOR * height, fit: 'fill' } as const
    return new Uint8Array(await image.autoOrient().resize(size).jpeg().toBuffer())
  } catch {
    // sharp reads other files than the service does.
    return undefined
  }
}
