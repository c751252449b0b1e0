/** Can this core work now? */
import { ServiceError } from '../../contract/errors.ts'
import type { Answer } from '../../contract/rpc/operations.ts'
import { ping } from '../../metadata/database.ts'
import type { Services } from '../services.ts'

/** Resolves when what every question needs answers. Throws SERVICE_UNAVAILABLE. */
export async function ready({ database }: Pick<Services, 'database'>): Promise<Answer<'ready'>> {
  try {
    await ping(database)
  } catch (cause) {
    throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause })
  }
  return {}
}
