/** Enrols many photos: progress, duplicates, failures, and keys that make a repetition harmless. */
import {
  type EnrolOptions,
  type EnrolParameters,
  type Face,
  type MienClient,
  MienError,
} from '../../clients/typescript/src/index.ts'
import { delayMs, mayRetry, wait } from '../../clients/typescript/src/send.ts'
import { sentenceOf } from '../connection/service.ts'
import { type FoundFile, folderOf, type SkippedFile } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { type EnrolmentSettings, personOf } from './enrolment-plan.ts'

/** Photos in flight: enough to occupy a service on a few processors, few enough to leave room for others. */
const AT_ONCE = 4

/** Parameters of the enrolment of one photo. */
export function parametersOf(path: string, settings: EnrolmentSettings): EnrolParameters {
  const { gallery, meta, usesFolderNames, selector } = settings
  const used = (usesFolderNames && folderOf(path)) || meta
  const person = personOf(path, settings)
  return {
    mf_selector: selector,
    ...(used === '' ? {} : { meta: used }),
    ...(person === undefined ? {} : { person }),
    ...(gallery === 'default' ? {} : { galleries: [gallery] }),
  }
}

export interface EnrolmentProgress {
  photos: number
  done: number
  /** Faces that this enrolment added. */
  faces: number
  /** Photos that an earlier enrolment added. */
  before: number
  /** Photos with the content and the parameters of another one. */
  duplicates: readonly SkippedFile[]
  /** Photos with several faces, of which the biggest is enrolled. */
  several: readonly SkippedFile[]
  failures: readonly FailedPhoto[]
  /** The service is busy or away, and the enrolment waits for it. */
  isWaiting: boolean
}

/** A photo that can be tried again, and a sentence that says why it failed. */
export type FailedPhoto = FoundFile & SkippedFile

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
    ...{ photos: photos.length, done: 0, faces: 0, before: 0 },
    ...{ duplicates: [], several: [], failures: [], isWaiting: false },
  }
  const report = (change: Partial<EnrolmentProgress>) => {
    progress = { ...progress, ...change }
    onProgress(progress)
  }
  report({})
  const patiently = backOff(signal, () => report({ isWaiting: true }))
  const newest = await newestId(client, signal)
  const sent = new Map<string, string>()
  await inParallel(
    photos,
    AT_ONCE,
    async photo => {
      await turn?.()
      if (signal.aborted) return
      const parameters = parametersOf(photo.path, settings)
      const outcome = memory?.has(photo)
        ? { before: 1 }
        : await outcomeOf(client, photo, parameters, { newest, sent, patiently, signal })
      if (!outcome) return
      if (outcome.failure === undefined) memory?.add(photo)
      report(added(progress, photo, outcome))
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

const added = (progress: EnrolmentProgress, photo: FoundFile, outcome: Outcome) => {
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
  sent: Map<string, string>
  patiently: ReturnType<typeof backOff>
  signal: AbortSignal
}

/** Attempts of a photo while the service is busy or away, each with the retries of the client: about a minute and a half. */
const ATTEMPTS = 10

/** Milliseconds of the first wait without Retry-After. It doubles for the further ones of a photo. */
const FIRST_WAIT_MS = 500

/** Sends again what a busy service has refused. A refusal holds all requests back, not only its own. */
function backOff(signal: AbortSignal, onWaiting: () => void) {
  let until = 0
  return async <T>(send: () => Promise<T>): Promise<T> => {
    for (let retry = 0; ; retry++) {
      while (Date.now() < until) await wait(until - Date.now(), signal)
      try {
        return await send()
      } catch (error) {
        if (signal.aborted || !mayRetry(error, true) || retry === ATTEMPTS - 1) throw error
        const ms = delayMs(error, { retry, baseMs: FIRST_WAIT_MS, random: Math.random() })
        until = Math.max(until, Date.now() + ms)
        onWaiting()
      }
    }
  }
}

/** Enrols a photo. Undefined when the enrolment was stopped meanwhile. */
async function outcomeOf(
  client: MienClient,
  { file, path }: FoundFile,
  parameters: EnrolParameters,
  { newest, sent, patiently, signal }: Sending,
): Promise<Outcome | undefined> {
  try {
    const key = await keyOf(file, parameters)
    const other = sent.get(key)
    if (other !== undefined) return { duplicate: TEXTS.enrol.sameAs(other) }
    sent.set(key, path)
    let several: Outcome = {}
    const onFacesSeen = (seen: number) => {
      several = { several: TEXTS.enrol.biggestOf(seen) }
    }
    const options = { idempotencyKey: key, signal, onFacesSeen }
    const faces = await patiently(() => enrolOnce(client, file, parameters, options))
    return {
      ...several,
      ...(faces.every(({ id }) => id <= newest) ? { before: 1 } : { faces: faces.length }),
    }
  } catch (error) {
    if (signal.aborted) return undefined
    if (error instanceof MienError && error.param === 'Idempotency-Key')
      return { duplicate: TEXTS.enrol.sameBefore }
    // The browser could not read the file.
    if (error instanceof DOMException) return { failure: TEXTS.errors.unreadable(file.name) }
    return { failure: sentenceOf(error) }
  }
}

/** The id of the newest face of the owner: ids rise with time. 0 where the token may not list faces. */
async function newestId(client: MienClient, signal: AbortSignal): Promise<number> {
  try {
    const [newest] = await client.faces.list({ pageSize: 1 }, { signal }).toArray(1)
    return newest?.id ?? 0
  } catch {
    return 0
  }
}

/**
 * Enrols a photo under a key of its content and parameters: the service answers a repetition with the faces of the first
 * time. Where all of these were deleted since, the photo is enrolled again.
 */
async function enrolOnce(
  client: MienClient,
  file: File,
  parameters: EnrolParameters,
  options: EnrolOptions,
): Promise<Face[]> {
  const faces = await client.faces.enrol(file, parameters, options)
  if (faces.length > 0) return faces
  const idempotencyKey = `${options.idempotencyKey} ${Date.now()}`
  return client.faces.enrol(file, parameters, { ...options, idempotencyKey })
}

/** Longest Idempotency-Key of the API. */
const LONGEST_KEY = 255

/**
 * The key of an enrolment. Without a secure origin browsers offer no hash: name, size and time stand for the content, and a
 * text that does not fit is replaced by a random key. A shortened one could be that of another photo.
 */
export async function keyOf(file: File, parameters: EnrolParameters): Promise<string> {
  const rest = JSON.stringify(parameters)
  if (!globalThis.crypto.subtle) {
    const text = `${file.name} ${file.size} ${file.lastModified} ${rest}`
    const key = `console ${encodeURIComponent(text)}`
    return key.length <= LONGEST_KEY ? key : `console ${Date.now()} ${Math.random()}`
  }
  const content = await file.arrayBuffer()
  const hash = await crypto.subtle.digest('SHA-256', content)
  const both = new Uint8Array([...new Uint8Array(hash), ...new TextEncoder().encode(rest)])
  return `console ${hexadecimal(await crypto.subtle.digest('SHA-256', both))}`
}

const hexadecimal = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, '0')).join('')

/**
 * Starts a task per input in order, `limit` at a time, and none after the signal aborts. Resolves when the started ones have
 * settled.
 */
export async function inParallel<T>(
  inputs: readonly T[],
  limit: number,
  run: (input: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const waiting = inputs.values()
  const work = async (): Promise<void> => {
    for (const input of waiting) {
      if (signal?.aborted) return
      await run(input)
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, work))
}
