/** Readiness of this core. */
import { ServiceError } from '../../../contract/errors.ts'
import type { RpcResponse } from '../../../contract/rpc/operations.ts'
import { ping } from '../../metadata/database.ts'
import type { Services } from '../services.ts'

/** Resolves when the database, which every request needs, responds. Throws SERVICE_UNAVAILABLE. */
export async function ready({ database }: Pick<Services, 'database'>): Promise<RpcResponse<'ready'>> {
  try {
    await ping(database)
  } catch (cause) {
    throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause })
  }
  return {}
}
