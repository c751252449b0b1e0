/** What a caller is told when the store refuses, or when it or the database does not answer. */
import { type ErrorCode, ServiceError } from '../../contract/errors.ts'
import { isDiskFull } from '../../files/disk-full.ts'
import { isDatabaseUnavailable } from '../../metadata/connection/availability.ts'
import { PicturesUnavailable } from '../../pictures/objects.ts'
import { StoreUnavailable, VectorRefused } from '../../vector-store/vector-store.ts'

/** Seconds after which a write may be tried again that found no room. */
const ROOM_AFTER = 10

const NO_ROOM = 'The storage of the service is full. Reads and deletions go on.'

/** True for a request that failed because the disk is full. A caller's mistake is reported as such, also on a full disk. */
export const isNoRoom = (error: unknown): boolean =>
  isDiskFull(error) && !(error instanceof ServiceError && error.code !== 'SERVICE_UNAVAILABLE')

/**
 * For the API: it knows no store and no database, only that a part of the service is away, or that there is no room. Other
 * errors stay what they are.
 */
export function apiRefusal(error: unknown): unknown {
  if (isNoRoom(error)) {
    const detail = { reason: NO_ROOM, retryAfter: ROOM_AFTER }
    return new ServiceError('SERVICE_UNAVAILABLE', detail, { cause: error })
  }
  if (
    !(
      error instanceof StoreUnavailable ||
      error instanceof PicturesUnavailable ||
      isDatabaseUnavailable(error)
    )
  )
    return error
  return new ServiceError('SERVICE_UNAVAILABLE', {}, { cause: error })
}

const CODES: Record<VectorRefused['why'], ErrorCode> = {
  duplicate: 'FACE_EXISTS',
  dimension: 'WRONG_DIMENSION',
  malformed: 'BAD_VECTOR',
}

/** For the store's operators, and for another core whose shard this is. */
export function storeRefusal(error: unknown): unknown {
  if (error instanceof VectorRefused) return new ServiceError(CODES[error.why], {}, { cause: error })
  if (isNoRoom(error)) return new ServiceError('STORE_FULL', {}, { cause: error })
  return apiRefusal(error)
}
