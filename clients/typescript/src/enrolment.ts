/**
 * Enrols many photos: keys that make a repetition harmless, duplicates, patience with a busy service, and outcomes. The caller reads
 * the photos, remembers which are done, and shows the progress.
 */
import { MienError } from './errors.ts'
import type { Photo } from './fields.ts'
import type { EnrolOptions, Faces } from './resources.ts'
import { wait } from './send.ts'
import type { EnrolParameters, Face } from './types.ts'

export interface PhotoToEnrol {
  /** Idempotency-Key: photos of equal keys are one enrolment. At most 250 characters. */
  key: string
  /** Tells other photos which one has this key. */
  name: string
  photo: Photo
  parameters: EnrolParameters
}

export type OutcomeName =
  | 'enrolled'
  | 'duplicate'
  | 'no_face'
  | 'too_small'
  | 'several_faces'
  | 'poor_quality'
  | 'unreadable'
  | 'refused'
  | 'failed'

/** What became of a photo. */
export type PhotoOutcome =
  /** `seen` is the number of faces on the photo if one of several was enrolled. */
  | { outcome: 'enrolled'; faces: Face[]; seen?: number }
  /** `like` is the name of the other photo. Absent: an earlier enrolment had it. */
  | { outcome: 'duplicate'; like?: string }
  | { outcome: OutcomeName; error: MienError }
  /** The error concerns every photo. */
  | { outcome?: never; error: unknown }

/** Outcomes by the code of a refusal. */
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

/** The outcome of a photo whose request failed. Undefined for an error that concerns every photo. */
export function outcomeOf(error: unknown): OutcomeName | undefined {
  if (!(error instanceof MienError)) return undefined
  return error.status === TOO_LARGE ? 'unreadable' : REFUSALS[error.code]
}

/** Options of a call that waits while the service is overloaded or away. */
export const PATIENT = { retries: Number.POSITIVE_INFINITY, timeoutMs: 300_000 } as const

/** Attempts of a request that ends with an internal error, and milliseconds between them. */
const ATTEMPTS = 3
const PAUSE_MS = 500

/** Sends a request, and again after an internal error. */
export async function repeated<Answer>(
  request: () => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof MienError && error.status === 500) || attempt === ATTEMPTS) throw error
      await wait(PAUSE_MS, signal ?? new AbortController().signal)
    }
  }
}

/**
 * Enrols a photo unless `claims` has its key, and claims the key. The service answers a repetition with the faces of the first
 * time. Where all of these were deleted since, the photo is enrolled again under the next key.
 */
export async function enrolOnce(
  faces: Faces,
  claims: Map<string, string>,
  { key, name, photo, parameters }: PhotoToEnrol,
  options: Pick<EnrolOptions, 'signal' | 'onRetry'> = {},
): Promise<PhotoOutcome> {
  const like = claims.get(key)
  if (like !== undefined) return { outcome: 'duplicate', like }
  claims.set(key, name)
  let several: { seen?: number } = {}
  const onFacesSeen = (seen: number) => {
    several = { seen }
  }
  try {
    for (let round = 1; ; round++) {
      const idempotencyKey = round === 1 ? key : `${key}-${round}`
      const call = { ...PATIENT, ...options, idempotencyKey, onFacesSeen }
      const found = await repeated(() => faces.enrol(photo, parameters, call), options.signal)
      if (found.length > 0) return { outcome: 'enrolled', faces: found, ...several }
    }
  } catch (error) {
    const outcome = outcomeOf(error)
    if (!(error instanceof MienError) || outcome === undefined) return { error }
    return error.param === 'Idempotency-Key' ? { outcome: 'duplicate' } : { outcome, error }
  }
}

/** SHA-256 of bytes, hexadecimal: the `photo_hash` of the service. */
export const hashOf = async (bytes: BufferSource): Promise<string> =>
  [...(await sha256(bytes))].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** The key of a photo with this hash and these fields. `origin` tells the keys of two programs apart. */
export async function keyOf(origin: string, hash: string, ...fields: unknown[]): Promise<string> {
  const digest = await sha256(new TextEncoder().encode(JSON.stringify([hash, ...fields])))
  const base64 = btoa(String.fromCharCode(...digest))
  return `${origin}-${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

const sha256 = async (bytes: BufferSource): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/**
 * Runs a task for each input in order, `limit` at a time, and none after the signal aborts or a task fails. Resolves when the
 * started ones have settled; rejects with the first failure.
 */
export async function inParallel<Input>(
  inputs: Iterable<Input> | AsyncIterable<Input>,
  limit: number,
  run: (input: Input) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const waiting = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]()
  const failures: unknown[] = []
  const work = async (): Promise<void> => {
    while (!signal?.aborted && failures.length === 0) {
      const { value, done } = await waiting.next()
      if (done) return
      await run(value)
    }
  }
  await Promise.all(Array.from({ length: limit }, () => work().catch(error => failures.push(error))))
  await waiting.return?.()
  if (failures.length > 0) throw failures[0]
}
