/** Enrols one photo: request, outcome, and the searches that explain the outcome. */

import { enrolOnce, outcomeOf, PATIENT, repeated } from '../../clients/typescript/src/enrolment.ts'
import {
  type Face,
  type IdentifyParameters,
  type MienClient,
  MienError,
} from '../../clients/typescript/src/index.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { JobLine } from './job.ts'
import type { Row } from './row.ts'

export interface EnrolSettings {
  client: MienClient
  /** Least quality of a face, 0..1. */
  minQuality?: number
  /** Search each enrolled face among faces with other metas, with this threshold. */
  checkOthers?: NonNullable<IdentifyParameters['threshold']>
}

interface Photo {
  row: Row
  /** Idempotency-Key. */
  key: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Outcome of a photo. Rejects with an error of the client that concerns every photo. */
export async function enrolPhoto(
  settings: EnrolSettings,
  claims: Map<string, string>,
  photo: Photo,
): Promise<Partial<JobLine> & Pick<JobLine, 'outcome'>> {
  const { row, key, bytes } = photo
  const file = new File([bytes], row.name)
  const enrolled = await enrolOnce(settings.client.faces, claims, {
    key,
    name: row.name,
    photo: file,
    parameters: parametersOf(row, settings),
  })
  if (enrolled.outcome === undefined) throw enrolled.error
  if ('faces' in enrolled) {
    const { faces, ...rest } = enrolled
    try {
      const similar = await similarFace(settings, photo, faces)
      return { ...rest, faces: faces.map(({ id }) => id), similar }
    } catch (error) {
      const failed = outcomeOf(error)
      if (!(error instanceof MienError) || failed === undefined) throw error
      return { outcome: failed, reason: error.reason }
    }
  }
  const { outcome } = enrolled
  if (outcome === 'no_face' && (await hasSmallFace(settings, photo)))
    return { outcome: 'too_small', reason: 'A face is found when the photo is enlarged.' }
  if ('error' in enrolled) return { outcome, reason: enrolled.error.reason }
  return enrolled.like === undefined ? { outcome, reason: REPEATED_PHOTO } : { outcome }
}

const REPEATED_PHOTO = 'Another file with the same photo and fields was enrolled within 24 hours.'

const parametersOf = (row: Row, { minQuality }: EnrolSettings) => ({
  meta: row.meta,
  mf_selector: row.selector,
  ...(row.galleries.length > 0 && { galleries: row.galleries }),
  ...omitUndefined({
    person: row.person,
    cam_id: row.camera,
    timestamp: row.time,
    min_quality: minQuality,
  }),
})

/** Candidates of a search for similar faces. The person's own faces are among them. */
const CANDIDATES = 20

/** The most similar face with another meta, if the settings ask for it. */
async function similarFace(
  { client, checkOthers }: EnrolSettings,
  { row, bytes }: Photo,
  faces: readonly Face[],
): Promise<JobLine['similar']> {
  if (checkOthers === undefined || row.meta === '') return undefined
  const bbox = faces.map(({ x1, y1, x2, y2 }) => ({ x1, y1, x2, y2 }))
  const parameters = { bbox, threshold: checkOthers, n: CANDIDATES }
  const { results } = await repeated(() => client.identify(bytes, parameters, PATIENT))
  const [first] = Object.values(results)
    .flat()
    .filter(({ face }) => face.meta !== row.meta && face.meta !== '')
    .sort((a, b) => b.confidence - a.confidence)
  return first && { face: first.face.id, meta: first.face.meta, confidence: first.confidence }
}

/** Whether the photo has a face that is too small to enrol. */
async function hasSmallFace({ client }: EnrolSettings, { bytes }: Photo) {
  const larger = await enlarged(bytes)
  if (!larger) return false
  try {
    const { faces } = await repeated(() => client.detect(larger, {}, PATIENT))
    return faces.length > 0
  } catch (error) {
    // The enlarged photo may exceed a bound of the service. The photo itself has no face.
    if (outcomeOf(error) === undefined) throw error
    return false
  }
}

const ENLARGEMENT = 2

/** Longest side of an enlarged photo in pixels. Larger photos do not lack pixels. */
const LONGEST_SIDE = 4_096

/** The photo at twice its size, as JPEG; undefined if it has more pixels than that, or cannot be read. */
async function enlarged(photo: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // Most runs need no image library.
  const { default: sharp } = await import('sharp')
  try {
    const image = sharp(photo, { limitInputPixels: (LONGEST_SIDE / ENLARGEMENT) ** 2 })
    const { width, height } = await image.metadata()
    if (ENLARGEMENT * Math.max(width, height) > LONGEST_SIDE) return undefined
    const size = { width: ENLARGEMENT * width, height: ENLARGEMENT * height, fit: 'fill' } as const
    return new Uint8Array(await image.autoOrient().resize(size).jpeg().toBuffer())
  } catch {
    // sharp reads other files than the service does.
    return undefined
  }
}
