/** Parameter `person_id` of a face update. */
import * as z from 'zod'
import { LIMITS } from '../../contract/limits.ts'
import { openapiOverrides } from '../openapi/overrides.ts'
import { isStorable } from './scalars.ts'

const A_PERSON = `a whole number from 0 to ${LIMITS.givenPersonId}, or a text of at most ${LIMITS.personTextLength} characters without NUL`

/** The number of a person, or a text that is stored with the face and refers to no person. */
export const personId = z
  .union([z.number(), z.string()], A_PERSON)
  .refine(
    value => typeof value === 'number' || (value.length <= LIMITS.personTextLength && isStorable(value)),
    A_PERSON,
  )
  .register(openapiOverrides, { type: ['number', 'string'] })
