/** What a refusal looks like in the API's documents: the shape of its body, and an example for each code. */
import * as z from 'zod'
import { BoxSchema } from '../../core/contract/bbox.ts'
import {
  badParam,
  ERRORS,
  type ErrorCode,
  errorAnswer,
  ServiceError,
  STORE_CODES,
} from '../../core/contract/errors.ts'

/** Answered with the number 400 as its code. */
const TOO_MANY = 'TOO_MANY_FACES'

const CODES = (Object.keys(ERRORS) as ErrorCode[]).filter(
  code => !(STORE_CODES as readonly ErrorCode[]).includes(code),
)

const TextCode = z.enum(CODES.filter(code => code !== TOO_MANY))

/** The body of every refusal. The reason is for people and not to be parsed. */
export const RefusalBody = z
  .union([
    z.strictObject({
      code: TextCode,
      reason: z.string(),
      param: z.string().optional(),
      value: z.string().optional(),
      request_id: z.string(),
    }),
    z.strictObject({
      code: z.literal(400),
      reason: z.string(),
      faces: z.array(BoxSchema),
      request_id: z.string(),
    }),
  ])
  .meta({
    id: 'Refusal',
    description: 'Why there is no answer. `reason` is for people and not to be parsed.',
  })

/** What every operation may be refused with. */
const ALWAYS: readonly ErrorCode[] = [
  'AUTH_FAILED',
  'FORBIDDEN',
  'BAD_PARAM',
  'MALFORMED_JSON',
  'PHOTO_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]

/** The answers that refuse, by their status: these codes and those that every operation may get. */
export function refusalsOf(codes: readonly ErrorCode[]): Record<string, unknown> {
  const byStatus = Map.groupBy(new Set([...ALWAYS, ...codes]), code => ERRORS[code].status)
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusalWith(codes)]))
}

const refusalWith = (codes: readonly ErrorCode[]): unknown => ({
  description: codes
    .map(code => `\`${code === TOO_MANY ? 400 : code}\`: ${ERRORS[code].reason}`)
    .join('\n\n'),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Refusal' },
      examples: Object.fromEntries(codes.map(code => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

const EXAMPLE_ID = '0b8f1b2a-51e6-4e0c-8c1b-9f0d0a0b0c0d'

/** One example for each code, as the service answers it. */
export const refusalExamples = (): Record<string, unknown> =>
  Object.fromEntries(
    CODES.map(code => [code, { value: { ...errorAnswer(exampleOf(code)).body, request_id: EXAMPLE_ID } }]),
  )

function exampleOf(code: ErrorCode): ServiceError {
  if (code === 'BAD_PARAM') return badParam('threshold', 'lax', 'This must be a number from 0 to 1.')
  if (code !== TOO_MANY) return new ServiceError(code)
  const faces = [
    { x1: 10, y1: 20, x2: 110, y2: 120 },
    { x1: 210, y1: 20, x2: 310, y2: 120 },
  ]
  return new ServiceError(code, { faces })
}
