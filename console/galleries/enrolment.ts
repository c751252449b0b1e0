/** Enrols many photos of the visitor: progress, duplicates, failures, and photos of earlier enrolments. */
import { enrolOnce, hashOf, inParallel, keyOf } from '../../clients/typescript/src/enrolment.ts'
import type { Box, EnrolParameters, MienClient } from '../../clients/typescript/src/index.ts'
import { sentenceOf } from '../connection/service.ts'
import { type FoundFile, folderOf, type SkippedFile } from '../photos/files.ts'
import { acceptedPhoto } from '../photos/jpeg.ts'
import { TEXTS } from '../texts.ts'
import { type EnrolmentSettings, personOf } from './enrolment-plan.ts'

/** Photos in flight: enough to occupy a service on a few processors, few enough to leave room for others. */
const PHOTOS_IN_FLIGHT = 4

/** Parameters of the enrolment of one photo. */
function parametersOf({ path, face }: FoundFile, settings: EnrolmentSettings): EnrolParameters {
  const { gallery, meta, usesFolderNames, selector } = settings
  const used = (usesFolderNames && folderOf(path)) || meta
  const person = personOf(path, settings)
  return {
    mf_selector: selector,
    ...(face && selector === 'biggest' && { bbox: [placeOf(face)] }),
    ...(used === '' ? {} : { meta: used }),
    ...(person === undefined ? {} : { person }),
    ...(gallery === 'default' ? {} : { galleries: [gallery] }),
  }
}

/** The box without the other facts of a detected face. */
const placeOf = ({ x1, y1, x2, y2 }: Box) => ({ x1, y1, x2, y2 })

export interface EnrolmentProgress {
  photos: number
  done: number
  /** Faces that this enrolment added. */
  faces: number
  /** Photos that an earlier enrolment added. */
  before: number
  /** Photos with the content and the parameters of another one. */
  duplicates: readonly SkippedFile[]
  /** Photos with several faces. The biggest face is enrolled. */
  several: readonly SkippedFile[]
  failures: readonly FailedPhoto[]
  /** The service is busy or away, and the enrolment waits for it. */
  isWaiting: boolean
}

/** A photo that can be tried again, and a sentence that says why it failed. */
type FailedPhoto = FoundFile & SkippedFile

/** Photos that are done. */
export interface EnrolmentMemory {
  has(photo: FoundFile): boolean
  add(photo: FoundFile): void
}

interface EnrolmentRun {
  memory?: EnrolmentMemory
  /** Awaited before each photo: a pause of the visitor. */
  turn?: () => Promise<void>
  onProgress: (progress: EnrolmentProgress) => void
  signal: AbortSignal
}

/** Enrols photos, and reports after each of them. Photos that the memory holds are not sent. */
export async function enrolPhotos(
  client: MienClient,
  photos: readonly FoundFile[],
  settings: EnrolmentSettings,
  { memory, turn, onProgress, signal }: EnrolmentRun,
): Promise<void> {
  let progress: EnrolmentProgress = {
    photos: photos.length,
    done: 0,
    faces: 0,
    before: 0,
    duplicates: [],
    several: [],
    failures: [],
    isWaiting: false,
  }
  const report = (change: Partial<EnrolmentProgress>) => {
    progress = { ...progress, ...change }
    onProgress(progress)
  }
  report({})
  const onRetry = () => report({ isWaiting: true })
  const newest = await newestId(client, signal)
  const claims = new Map<string, string>()
  await inParallel(
    photos,
    PHOTOS_IN_FLIGHT,
    async photo => {
      await turn?.()
      if (signal.aborted) return
      const parameters = parametersOf(photo, settings)
      const outcome = memory?.has(photo)
        ? { before: 1 }
        : await resultOf(client, photo, parameters, { newest, claims, onRetry, signal })
      if (!outcome) return
      if (outcome.failure === undefined) memory?.add(photo)
      report(addOutcome(progress, photo, outcome))
    },
    signal,
  )
}

interface Outcome {
  faces?: number
  before?: number
  duplicate?: string
  several?: string
  failure?: string
}

const addOutcome = (progress: EnrolmentProgress, photo: FoundFile, outcome: Outcome) => {
  const { faces = 0, before = 0, duplicate, several, failure } = outcome
  const { duplicates, failures } = progress
  return {
    done: progress.done + 1,
    faces: progress.faces + faces,
    before: progress.before + before,
    duplicates:
      duplicate === undefined ? duplicates : [...duplicates, { path: photo.path, reason: duplicate }],
    several:
      several === undefined ? progress.several : [...progress.several, { path: photo.path, reason: several }],
    failures: failure === undefined ? failures : [...failures, { ...photo, reason: failure }],
    isWaiting: false,
  }
}

interface Sending {
  /** The newest face before the enrolment. Faces up to it are no new ones. */
  newest: number
  /** Path of the photo of each content with its parameters. */
  claims: Map<string, string>
  onRetry: () => void
  signal: AbortSignal
}

/** Enrols a photo. Undefined when the visitor stopped the enrolment. */
async function resultOf(
  client: MienClient,
  { file, path }: FoundFile,
  parameters: EnrolParameters,
  { newest, claims, ...options }: Sending,
): Promise<Outcome | undefined> {
  let photo: File
  let key: string
  try {
    photo = await acceptedPhoto(file)
    key = await keyOfFile(file, parameters)
  } catch (error) {
    return { failure: typeof error === 'string' ? error : TEXTS.errors.unreadable(file.name) }
  }
  const enrolled = await enrolOnce(client.faces, claims, { key, name: path, photo, parameters }, options)
  if ('faces' in enrolled) {
    const { faces, seen } = enrolled
    return {
      ...(seen !== undefined && { several: TEXTS.enrol.biggestOf(seen) }),
      ...(faces.every(({ id }) => id <= newest) ? { before: 1 } : { faces: faces.length }),
    }
  }
  if ('error' in enrolled) return options.signal.aborted ? undefined : { failure: sentenceOf(enrolled.error) }
  const { like } = enrolled
  return { duplicate: like === undefined ? TEXTS.enrol.sameBefore : TEXTS.enrol.sameAs(like) }
}

/** The id of the newest face of the owner: ids rise with time. 0 where the token may not list faces. */
async function newestId(client: MienClient, signal: AbortSignal) {
  try {
    const [newest] = await client.faces.list({ pageSize: 1 }, { signal }).toArray(1)
    return newest?.id ?? 0
  } catch {
    return 0
  }
}

/** Longest key of a photo. */
const LONGEST_KEY = 250

/**
 * The key of an enrolment. Without a secure origin browsers offer no hash: name, size and time stand for the content, and a
 * text that does not fit is replaced by a random key. A shortened key could belong to another photo.
 */
export async function keyOfFile(file: File, parameters: EnrolParameters): Promise<string> {
  if (globalThis.crypto.subtle) return keyOf('console', await hashOf(await file.arrayBuffer()), parameters)
  const text = `${file.name} ${file.size} ${file.lastModified} ${JSON.stringify(parameters)}`
  const key = `console ${encodeURIComponent(text)}`
  return key.length <= LONGEST_KEY ? key : `console ${Date.now()} ${Math.random()}`
}
