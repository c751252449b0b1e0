/** What a caller is told when the store refuses, or when it or the database does not answer. */
import { type ErrorCode, ServiceError } from '../contract/errors.ts'
import { isAway } from '../metadata/away.ts'
import { PicturesAway } from '../pictures/objects.ts'
import { StoreAway, VectorRefused } from '../store/store.ts'

/** For the API: it knows no store and no database, only that a part of the service is away. Other errors stay what they are. */
export function apiRefusal(error: unknown): unknown {
  if (!(error instanceof StoreAway || error instanceof PicturesAway || isAway(error))) return error
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
  if (error instanceof StoreAway && error.why === 'full') {
    return new ServiceError('STORE_FULL', {}, { cause: error })
  }
  return apiRefusal(error)
}
