/** Response headers in the API's documents: what each means, and which responses carry it. */
import type { JsonSchema } from './overrides.ts'

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
      'Parameters that the operation does not know, each with the nearest known name if there is one. Absent if there are none.',
    schema: text,
    example: 'treshold; did-you-mean=threshold',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  Allow: {
    description: 'The methods that the path knows.',
    schema: text,
    example: 'GET, DELETE',
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme that is expected.',
    schema: text,
    example: 'Token',
  },
}

/** `components.headers` of a document: those that these parts of it refer to. */
export function usedHeaders(parts: object): Record<string, JsonSchema> {
  const text = JSON.stringify(parts)
  return Object.fromEntries(
    Object.entries(COMMON).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  )
}

const references = (...names: string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers of a successful response. `own` are those of the operation: descriptions by header name. */
export const successHeaders = (own: Readonly<Record<string, string>> = {}): Record<string, JsonSchema> => ({
  ...references('X-Request-Id', 'X-Ignored-Parameters'),
  ...Object.fromEntries(
    Object.entries(own).map(([name, description]) => [name, { description, schema: text }]),
  ),
})

/** Statuses of errors that are found before any parameter is read. */
const WITHOUT_PARAMETERS: readonly number[] = [401, 403, 405, 429]

const OF_STATUS: Record<number, readonly string[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
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
