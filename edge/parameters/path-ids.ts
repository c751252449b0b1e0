/** Ids in paths. What can't be an id is an id that nobody has: NOT_FOUND. */
import * as z from 'zod'
import { ServiceError } from '../../core/contract/errors.ts'
import { FaceId } from '../../core/contract/ids.ts'
import { openapiOverrides } from '../openapi/overrides.ts'
import { cameraId } from './parameter-fields.ts'

/** Ids as parameters of paths: any text, so that what is none is not found instead of a bad parameter. */
export const numberInPath = z.string('an id').register(openapiOverrides, { type: 'integer', minimum: 0 })
export const cameraInPath = z.string('an id').register(openapiOverrides, { type: 'string', format: 'uuid' })

/** The number of a face or of a person. */
export function numberOf(text: string): number {
  const parsed = FaceId.safeParse(/^\d{1,16}$/.test(text) ? Number(text) : undefined)
  if (!parsed.success) throw new ServiceError('NOT_FOUND')
  return parsed.data
}

/** A camera's id, with or without hyphens, as 32 hexadecimal digits. */
export function cameraOf(text: string): string {
  const parsed = cameraId.safeParse(text)
  if (!parsed.success) throw new ServiceError('NOT_FOUND')
  return parsed.data
}
