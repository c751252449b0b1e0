/** Enrols many photos: progress, failures, and keys that make a repetition harmless. */
import type { EnrolParameters, Face, MienClient } from '../../clients/typescript/src/index.ts'
import { sentenceOf } from '../connection/sentences.ts'
import { type FoundFile, faultOf, folderOf, isPhoto } from '../photos/files.ts'
import { inParallel } from './in-parallel.ts'

/** Photos in flight: enough to occupy a service on a few processors, few enough to leave room for others. */
const AT_ONCE = 4

export interface EnrolmentSettings {
  gallery: string
  meta: string
  /** The name of the folder of each photo becomes its meta. */
  usesFolderNames: boolean
  selector: 'biggest' | 'all' | 'reject'
}

export interface EnrolmentProgress {
  photos: number
  done: number
  faces: number
  failures: readonly { path: string; reason: string }[]
}

/** Enrols the photos among the files, and reports after each of them. Files that are no photos are left out of folders. */
export async function enrolPhotos(
  client: MienClient,
  files: readonly FoundFile[],
  settings: EnrolmentSettings,
  onProgress: (progress: EnrolmentProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const photos = files.filter(({ file, path }) => isPhoto(file) || folderOf(path) === '')
  let progress: EnrolmentProgress = { photos: photos.length, done: 0, faces: 0, failures: [] }
  const report = (faces: number, failure?: { path: string; reason: string }) => {
    const failures = failure ? [...progress.failures, failure] : progress.failures
    progress = { ...progress, done: progress.done + 1, faces: progress.faces + faces, failures }
    onProgress(progress)
  }
  onProgress(progress)
  await inParallel(
    photos,
    AT_ONCE,
    async ({ file, path }) => {
      const fault = faultOf(file)
      if (fault !== undefined) return report(0, { path, reason: fault })
      try {
        report((await enrolOnce(client, file, parametersOf(path, settings), signal)).length)
      } catch (error) {
        if (!signal.aborted) report(0, { path, reason: sentenceOf(error) })
      }
    },
    signal,
  )
}

/** Parameters of the enrolment of one photo. */
export function parametersOf(
  path: string,
  { gallery, meta, usesFolderNames, selector }: EnrolmentSettings,
): EnrolParameters {
  const used = (usesFolderNames && folderOf(path)) || meta
  return {
    mf_selector: selector,
    ...(used === '' ? {} : { meta: used }),
    ...(gallery === 'default' ? {} : { galleries: [gallery] }),
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
  signal: AbortSignal,
): Promise<Face[]> {
  const idempotencyKey = await keyOf(file, parameters)
  const faces = await client.faces.enrol(file, parameters, { idempotencyKey, signal })
  if (faces.length > 0) return faces
  return client.faces.enrol(file, parameters, { idempotencyKey: `${idempotencyKey} ${Date.now()}`, signal })
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
  const both = new Uint8Array([...new Uint8Array(hash), ...new TextEncoder().encode(`${file.name} ${rest}`)])
  return `console ${hexadecimal(await crypto.subtle.digest('SHA-256', both))}`
}

const hexadecimal = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, '0')).join('')
