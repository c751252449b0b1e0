/** Ids in paths. An invalid id gives NOT_FOUND, not BAD_PARAM. */
import * as z from 'zod'
import { ServiceError } from '../../contract/errors.ts'
import { FaceId } from '../../contract/ids.ts'
import { AlertId } from '../../contract/model/alert.ts'
import { openapiOverrides } from '../openapi/overrides.ts'
import { cameraId } from './parameter-fields.ts'

/** Path parameters accept any text. numberOf, cameraOf and alertOf then throw NOT_FOUND for an invalid id. */
export const numberInPath = z.string('an id').register(openapiOverrides, { type: 'integer', minimum: 0 })
export const cameraInPath = z.string('an id').register(openapiOverrides, { type: 'string', format: 'uuid' })

export const alertInPath = z
  .string('an id')
  .register(openapiOverrides, { type: 'string', pattern: '^[0-9a-f]{32}$' })

/** The number of a face, a person or a delivery. Throws NOT_FOUND. */
export function numberOf(text: string): number {
  const parsed = FaceId.safeParse(/^\d{1,16}$/.test(text) ? Number(text) : undefined)
  if (!parsed.success) throw new ServiceError('NOT_FOUND')
  return parsed.data
}

/** The id of a camera as 32 lower-case hexadecimal digits; hyphens are optional in `text`. Throws NOT_FOUND. */
export function cameraOf(text: string): string {
  const parsed = cameraId.safeParse(text)
  if (!parsed.success) throw new ServiceError('NOT_FOUND')
  return parsed.data
}

/** The id of an alert rule. Throws NOT_FOUND. */
export function alertOf(text: string): string {
  const parsed = AlertId.safeParse(text)
  if (!parsed.success) throw new ServiceError('NOT_FOUND')
  return parsed.data
}
