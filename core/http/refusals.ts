/** Maps errors of the store, the pictures, the database and the disk to ServiceErrors. */
import { type ErrorCode, ServiceError } from '../../contract/errors.ts'
import { isDiskFull } from '../files/disk-space.ts'
import { isDatabaseUnavailable } from '../metadata/connection/availability.ts'
import { isTooLate } from '../metadata/connection/change.ts'
import { PicturesUnavailable } from '../pictures/objects.ts'
import { StoreUnavailable, VectorRefused } from '../vector-store/vector-store.ts'
import { EdgeMismatch, mismatchRefusal } from './rpc/edge-compatibility.ts'

/** Retry-After of a write to a full disk, in seconds. */
const RETRY_AFTER_SECONDS = 10

const TOO_LATE = 'The service is busy. The change was not stored in time, and will not be. Try again.'

const STORAGE_FULL = 'The storage of the service is full. Reads and deletions continue.'

/** Whether a request failed because the disk is full. False for ServiceErrors about the request itself. */
export const isStorageFull = (error: unknown): boolean =>
  isDiskFull(error) && !(error instanceof ServiceError && error.code !== 'SERVICE_UNAVAILABLE')

/**
 * For the API: an unavailable dependency, a full disk or an edge that does not fit becomes SERVICE_UNAVAILABLE. Returns other
 * errors unchanged.
 */
export function apiRefusal(error: unknown): unknown {
  if (error instanceof EdgeMismatch) return mismatchRefusal(error)
  if (isStorageFull(error)) {
    const detail = { reason: STORAGE_FULL, retryAfter: RETRY_AFTER_SECONDS }
    return new ServiceError('SERVICE_UNAVAILABLE', detail, { cause: error })
  }
  if (error instanceof ServiceError) return error
  if (isTooLate(error)) return new ServiceError('SERVICE_UNAVAILABLE', { reason: TOO_LATE })
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

const VECTOR_CODES: Record<VectorRefused['why'], ErrorCode> = {
  duplicate: 'FACE_EXISTS',
  dimension: 'WRONG_DIMENSION',
  malformed: 'BAD_VECTOR',
}

/** For the store interface: also maps VectorRefused and a full disk (STORE_FULL) to codes of the store. */
export function storeRefusal(error: unknown): unknown {
  if (error instanceof VectorRefused) return new ServiceError(VECTOR_CODES[error.why], {}, { cause: error })
  if (isStorageFull(error)) return new ServiceError('STORE_FULL', {}, { cause: error })
  return apiRefusal(error)
}
