/** The strict schema of every refusal: an additional or missing field fails the test that parses it. */
import * as z from 'zod'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { BoxSchema } from '#contract/model/bbox.ts'

const codes = Object.keys(ERRORS).filter(code => code !== 'BAD_PARAM' && code !== 'TOO_MANY_FACES')

export const RefusalAnswer = z.union([
  z.strictObject({
    code: z.enum(codes as [string, ...string[]]),
    reason: z.string().min(1),
    param: z.string().optional(),
    request_id: z.string().min(1),
  }),
  z.strictObject({
    code: z.literal('BAD_PARAM'),
    reason: z.string().min(1),
    param: z.string().min(1),
    value: z.string(),
    request_id: z.string().min(1),
  }),
  z.strictObject({
    code: z.literal(400),
    error_code: z.literal('TOO_MANY_FACES'),
    reason: z.string().regex(/^Too many faces: \d+$/),
    faces: z.array(BoxSchema).min(2),
    request_id: z.string().min(1),
  }),
])

/** The HTTP status of an error code. */
export const statusOf = (code: string | 400): number =>
  code === 400 ? 400 : ERRORS[code as ErrorCode].status
