/** Faces of enrolments with more than one message, until the last message. They are in memory only. */
import { environment, type Timer } from '../../../contract/environment.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { Attributes } from '../../../contract/model/attributes.ts'
import { shares } from '../../network/target.ts'
import type { FacePictures } from '../../pictures/encode.ts'

/** Data of a face that an enrolment stores. */
export interface PreparedFace {
  embedding: Float32Array
  attributes: Attributes
  pictures: FacePictures
}

export interface Preparations {
  /**
   * Keeps the preparation for another FACE_LIMITS.preparedMs; begins it if it is new. Throws SERVICE_UNAVAILABLE when the owner has
   * too many.
   */
  hold(owner: string, id: string): void
  /** Adds faces, the first one at the place `from`. Ignores a preparation that is not held. */
  add(owner: string, id: string, from: number, faces: readonly PreparedFace[]): void
  /** Ends the preparation, if it is held. */
  drop(owner: string, id: string): void
  /** Ends the preparation and returns its faces. Throws SERVICE_UNAVAILABLE unless it has exactly so many. */
  take(owner: string, id: string, count: number): PreparedFace[]
}

interface Preparation {
  /** Groups of faces by the place of their first face. */
  groups: Map<number, readonly PreparedFace[]>
  release(): void
  expiry: Timer
}

/** `Retry-After` in seconds of a refused preparation. */
const RETRY_AFTER_S = 10

export function preparations(): Preparations {
  const slots = shares(FACE_LIMITS.preparations)
  const held = new Map<string, Preparation>()

  const drop = (key: string) => {
    const preparation = held.get(key)
    held.delete(key)
    preparation?.expiry.cancel()
    preparation?.release()
  }
  const expiryOf = (key: string) => environment.timer(() => drop(key), FACE_LIMITS.preparedMs, { ref: false })

  return {
    hold(owner, id) {
      const key = keyOf(owner, id)
      const known = held.get(key)
      known?.expiry.cancel()
      const release = known?.release ?? slots.take(owner)
      if (!release)
        throw new ServiceError('SERVICE_UNAVAILABLE', { reason: TOO_MANY, retryAfter: RETRY_AFTER_S })
      held.set(key, { groups: known?.groups ?? new Map(), release, expiry: expiryOf(key) })
    },
    add: (owner, id, from, faces) => void held.get(keyOf(owner, id))?.groups.set(from, faces),
    drop: (owner, id) => drop(keyOf(owner, id)),
    take(owner, id, count) {
      const key = keyOf(owner, id)
      const preparation = held.get(key)
      drop(key)
      const groups = [...(preparation?.groups ?? [])].sort(([a], [b]) => a - b)
      const faces = groups.flatMap(([, group]) => group)
      if (!preparation || faces.length !== count)
        throw new ServiceError('SERVICE_UNAVAILABLE', { reason: GONE })
      return faces
    },
  }
}

const keyOf = (owner: string, id: string) => `${owner} ${id}`

const TOO_MANY = 'Too many photos with many faces are being enrolled. Try again.'
const GONE =
  'The faces of this request are no longer in memory, and nothing was stored. Send the request again.'
