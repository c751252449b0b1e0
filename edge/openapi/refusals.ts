/** Error responses in the OpenAPI documents: body schema, shared responses, and an example for each code. */
import * as z from 'zod'
import {
  badParam,
  ERRORS,
  type ErrorCode,
  errorAnswer,
  ServiceError,
  STORE_CODES,
  TRANSPORT_CODES,
} from '../../contract/errors.ts'
import { BoxSchema } from '../../contract/model/bbox.ts'
import { isChanging } from '../../contract/operations/operation.ts'
import type { Operation } from '../../contract/operations/table.ts'
import { errorHeaders } from './headers.ts'

/** This error has the number 400 as its `code`, and its text code as `error_code`. */
const TOO_MANY = 'TOO_MANY_FACES'

const UNDOCUMENTED: readonly ErrorCode[] = [...STORE_CODES, ...TRANSPORT_CODES]

const DOCUMENTED_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter(code => !UNDOCUMENTED.includes(code))

const TextCode = z.enum(DOCUMENTED_CODES.filter(code => code !== TOO_MANY))

/** The body of every error response. Clients must not parse `reason`. */
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
      error_code: z.literal(TOO_MANY),
      reason: z.string(),
      faces: z.array(BoxSchema),
      request_id: z.string(),
    }),
  ])
  .meta({
    id: 'Refusal',
    description: 'An error. `code` is for programs. `reason` is text for people and may change.',
  })

/** Error codes of every operation. */
const COMMON_CODES: readonly ErrorCode[] = [
  'AUTH_FAILED',
  'FORBIDDEN',
  'METHOD_NOT_ALLOWED',
  'BAD_PARAM',
  'MALFORMED_JSON',
  'PHOTO_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]

/** Error codes of an operation, without the codes of every operation. The outcome of a change can be unknown. */
export const codesOf = (operation: Operation): readonly ErrorCode[] => [
  ...(operation.refusals ?? []),
  ...(operation.core.kind === 'call' && isChanging(operation) ? (['OUTCOME_UNKNOWN'] as const) : []),
]

/** Error responses of an operation by status: its own codes and the codes of every operation. */
export const refusalsOf = (codes: readonly ErrorCode[]): Record<string, unknown> =>
  Object.fromEntries(
    byStatus(codes).map(([status, codes]) => {
      const name = sharedName(codes)
      return [status, name ? { $ref: `#/components/responses/${name}` } : refusalWith(status, codes)]
    }),
  )

/** `components.responses` of a document: the error responses with exactly one code. */
export const sharedRefusals = (operations: readonly Operation[]): Record<string, unknown> =>
  Object.fromEntries(
    operations
      .flatMap(operation => byStatus(codesOf(operation)))
      .flatMap(([status, codes]) => {
        const name = sharedName(codes)
        return name ? [[name, refusalWith(status, codes)]] : []
      }),
  )

const byStatus = (codes: readonly ErrorCode[]): [number, ErrorCode[]][] => [
  ...Map.groupBy(new Set([...COMMON_CODES, ...codes]), code => ERRORS[code].status),
]

/** Converts `NOT_FOUND` to `NotFound`. Undefined for several codes, because their sets differ between operations. */
const sharedName = ([code, ...others]: readonly ErrorCode[]) =>
  code === undefined || others.length > 0
    ? undefined
    : code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const refusalWith = (status: number, codes: readonly ErrorCode[]): unknown => ({
  description: codes
    .map(
      code =>
        `\`${code === TOO_MANY ? '400` with the `error_code` `TOO_MANY_FACES' : code}\`: ${ERRORS[code].reason}`,
    )
    .join('\n\n'),
  headers: errorHeaders(status),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Refusal' },
      examples: Object.fromEntries(codes.map(code => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

const EXAMPLE_ID = '0b8f1b2a-51e6-4e0c-8c1b-9f0d0a0b0c0d'

/** One example body for each error code of these operations, as the service returns it. */
export function refusalExamples(operations: readonly Operation[]): Record<string, unknown> {
  const used = new Set([...COMMON_CODES, ...operations.flatMap(codesOf)])
  return Object.fromEntries(
    DOCUMENTED_CODES.filter(code => used.has(code)).map(code => [
      code,
      { value: { ...errorAnswer(exampleOf(code)).body, request_id: EXAMPLE_ID } },
    ]),
  )
}

function exampleOf(code: ErrorCode): ServiceError {
  if (code === 'BAD_PARAM') return badParam('threshold', 'lax', 'This must be a number from 0 to 1.')
  if (code !== TOO_MANY) return new ServiceError(code)
  const faces = [
    { x1: 10, y1: 20, x2: 110, y2: 120 },
    { x1: 210, y1: 20, x2: 310, y2: 120 },
  ]
  return new ServiceError(code, { faces })
}
