/** Schemas of the parameters of tokens. */
import * as z from 'zod'
import { LIMITS } from '../../contract/limits.ts'
import { SCOPES, type Scope } from '../../contract/model/scope.ts'
import { openapiOverrides } from '../openapi/overrides.ts'
import { number } from './parameter-fields.ts'
import { word } from './scalars.ts'

export const scope = z
  .unknown()
  .transform((value, context): Scope => {
    const scope = SCOPES.find(known => known === word(value))
    if (scope) return scope
    context.addIssue(`one of ${SCOPES.join(', ')}`)
    return z.NEVER
  })
  .register(openapiOverrides, { type: 'string', enum: SCOPES, description: 'What the token allows.' })

const A_RATE = `a number above 0, at most ${LIMITS.tokenRate}`

/** Requests per second, above 0. */
export const tokenRate = number
  .refine(rate => rate > 0 && rate <= LIMITS.tokenRate, A_RATE)
  .register(openapiOverrides, {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: LIMITS.tokenRate,
    description: 'Requests per second. Default: that of the service.',
  })

const A_GRACE = `a number of hours from 0 to ${LIMITS.tokenGraceHours}`

export const graceHours = number
  .refine(hours => hours >= 0 && hours <= LIMITS.tokenGraceHours, A_GRACE)
  .register(openapiOverrides, {
    type: 'number',
    minimum: 0,
    maximum: LIMITS.tokenGraceHours,
    description: 'Hours for which the old token stays valid.',
  })
