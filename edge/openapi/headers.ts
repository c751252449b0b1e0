/** Response headers in the OpenAPI documents: descriptions, and the responses that carry them. */
import type { Operation } from '../../contract/operations/table.ts'
import type { JsonSchema } from '../../contract/parameters/json-schema.ts'

const text = { type: 'string' }

/** Header objects of OpenAPI by header name. */
const COMMON: Record<string, JsonSchema> = {
  'X-Request-Id': {
    description: 'Identifies this request in the logs of the service.',
    schema: text,
    example: '0b8f1b2a-51e6-4e0c-8c1b-9f0d0a0b0c0d',
  },
  'X-Ignored-Parameters': {
    description:
      'Unknown parameters, each with the nearest known name if one is similar, or with the version that knows it. Absent if all ' +
      'parameters are known.',
    schema: text,
    example: 'treshold; did-you-mean=threshold, age; only-in=v1',
  },
  'Retry-After': {
    description:
      'Seconds to wait before the next attempt. With 404 and 409: absent if waiting does not help.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  Allow: {
    description: 'The methods of the path.',
    schema: text,
    example: 'GET, DELETE',
  },
  'WWW-Authenticate': {
    description: 'The expected authentication scheme.',
    schema: text,
    example: 'Token',
  },
}

/** `components.headers` of a document: the common headers that `parts` refer to, and the headers of the operations. */
export function usedHeaders(parts: object, operations: readonly Operation[]): Record<string, JsonSchema> {
  const used = JSON.stringify(parts)
  const common = Object.entries(COMMON).filter(([name]) => used.includes(`"#/components/headers/${name}"`))
  const own = operations.flatMap(({ headers = {} }) => Object.entries(headers))
  return Object.fromEntries([
    ...common,
    ...own.map(([name, description]) => [name, { description, schema: text }] as const),
  ])
}

const references = (...names: string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers of a successful response. `own` contains the operation's headers: descriptions by header name. */
export const successHeaders = (own: Readonly<Record<string, string>> = {}): Record<string, JsonSchema> =>
  references('X-Request-Id', 'X-Ignored-Parameters', ...Object.keys(own))

/** Statuses of errors that occur before parameters are read. */
const WITHOUT_PARAMETERS: readonly number[] = [401, 403, 405, 415, 429]

const OF_STATUS: Record<number, readonly string[]> = {
  401: ['WWW-Authenticate'],
  404: ['Retry-After'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** Headers of an error response with this status. */
export const errorHeaders = (status: number): Record<string, JsonSchema> =>
  references(
    'X-Request-Id',
    ...(WITHOUT_PARAMETERS.includes(status) ? [] : ['X-Ignored-Parameters']),
    ...(OF_STATUS[status] ?? []),
  )
