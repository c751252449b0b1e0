/** Generates the OpenAPI 3.1 documents from the operations and their schemas, with examples of answers. */
import * as z from 'zod'
import { ALERT_LIMITS } from '../../contract/limits/alerts.ts'
import { AlertMessageSchema } from '../../contract/model/alert.ts'
import { ATTRIBUTES } from '../../contract/model/attributes.ts'
import { PERMISSIONS } from '../../contract/model/token.ts'
import { ALERT_DATA } from '../../contract/operations/alerts.ts'
import { EVENT_STREAM } from '../../contract/operations/events.ts'
import { type Description, TOPICS, type Topic, type Version } from '../../contract/operations/operation.ts'
import type { Operation } from '../../contract/operations/table.ts'
import { dropWholeRange, type JsonSchema } from '../../contract/parameters/json-schema.ts'
import { templateOf } from '../http/paths.ts'
import { eventText, type ServerSentEvent } from '../http/streamed.ts'
import { successHeaders, usedHeaders } from './headers.ts'
import { introductionTo } from './introduction.ts'
import { codesOf, RefusalBody, refusalExamples, refusalsOf, sharedRefusals } from './refusals.ts'
import { requestOf } from './requests.ts'

export type OpenapiDocument = {
  openapi: string
  paths: Record<string, Record<string, JsonSchema>>
} & JsonSchema

/** The document of a version. `operations` are all operations of the API. */
export function documentOf(version: Version, operations: readonly Operation[]): OpenapiDocument {
  const { answers, schemas, message } = answerSchemas(version, operations)
  const paths = pathsOf(operations, version, answers)
  const responses = sharedRefusals(operations)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Mien',
      version,
      description: introductionTo(version),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `/${version}`, description: 'The service that serves this document.' }],
    // Client generators use the first scheme and send the bare token.
    security: [{ bearer: [] }, { token: [] }],
    tags: topicsOf(operations).map(name => ({ name, description: TOPICS[name] })),
    paths,
    webhooks: webhooksOf(version, message),
    components: {
      schemas,
      responses,
      headers: usedHeaders({ paths, responses }, operations),
      examples: refusalExamples(operations),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const SECURITY_SCHEMES = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The token, for example `mien_...`. The word `Token` and a space may precede it.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The token alone, for example `mien_...`.' },
}

const topicsOf = (operations: readonly Operation[]) =>
  (Object.keys(TOPICS) as Topic[]).filter(topic => operations.some(operation => operation.topic === topic))

function pathsOf(
  operations: readonly Operation[],
  version: Version,
  answers: Record<string, JsonSchema>,
): OpenapiDocument['paths'] {
  const paths: OpenapiDocument['paths'] = {}
  for (const operation of operations) {
    const path = templateOf(operation.path)
    paths[path] = {
      ...paths[path],
      [operation.method]: described(operation, version, answers[operation.name]),
    }
  }
  return paths
}

const described = (operation: Operation, version: Version, answer: JsonSchema | undefined): JsonSchema => ({
  operationId: operation.name,
  tags: [operation.topic],
  summary: operation.summary,
  ...detailsOf(operation),
  ...requestOf(operation, version),
  responses: {
    [operation.status]: {
      description: answer ? 'Success.' : 'Success, without a body.',
      headers: successHeaders(operation.headers),
      ...(answer
        ? {
            content: {
              [operation.answerType ?? 'application/json']: {
                schema: answer,
                ...exampleIn(version, operation),
              },
            },
          }
        : {}),
    },
    ...refusalsOf(codesOf(operation)),
  },
})

function exampleIn(version: Version, operation: Operation): JsonSchema {
  const example = exampleOf(version, operation)
  return example === undefined ? {} : { example }
}

/** Details of the operation, the scopes that allow it, and its other paths, in Markdown. */
function detailsOf({ details, permission, aliases = [] }: Operation): { description: string } {
  const scopes = PERMISSIONS[permission]
  const allowed = `Token scope: ${codes(scopes)}${scopes.length > 1 ? ' (any of them)' : ''}.`
  const otherPaths = aliases.length > 0 ? `Other paths: ${codes(aliases.map(templateOf))}.` : undefined
  return { description: [details, allowed, otherPaths].filter(part => part).join('\n\n') }
}

const codes = (texts: readonly string[]) => texts.map(text => `\`${text}\``).join(', ')

/** Schemas of the responses by operation name, and the named schemas to which they refer. */
function answerSchemas(version: Version, operations: readonly Operation[]) {
  const shapes = operations.flatMap(({ name, answer, answerOfV1 = answer }) => {
    const shape = version === 'v1' ? answerOfV1 : answer
    return shape ? [[name, shape] as const] : []
  })
  // One common schema: a shared definition appears once.
  const all = z.object({ ...Object.fromEntries(shapes), refusal: RefusalBody, message: AlertMessageSchema })
  const { properties, $defs } = z.toJSONSchema(all, { override: dropWholeRange })
  const { message, ...answers } = properties ?? {}
  const hoisted = JSON.stringify({ answers, message, schemas: $defs }).replaceAll(
    '"#/$defs/',
    '"#/components/schemas/',
  )
  return JSON.parse(hoisted) as Record<'answers' | 'schemas', Record<string, JsonSchema>> & {
    message: JsonSchema
  }
}

const requiredHeader = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** Describes the requests to webhooks: the field `webhooks` of a document. `message` is the schema of a body. */
const webhooksOf = (version: Version, message: JsonSchema): JsonSchema => ({
  alert: {
    post: {
      operationId: 'receiveAlert',
      tags: ['Alerts'],
      summary: 'Receive a message of an alert rule',
      description:
        'The service posts this to the `url` of a rule, signed by the Standard Webhooks specification. It repeats a message until it ' +
        `is taken, for ${ALERT_LIMITS.deliveryRetriesMs / 3_600_000} hours.`,
      security: [],
      parameters: [
        requiredHeader('webhook-id', 'Equal in all attempts of a message, different for all messages.'),
        requiredHeader('webhook-timestamp', 'When this attempt was made: Unix seconds.'),
        requiredHeader('webhook-signature', 'Signatures by all current secrets, with spaces between them.'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: message, example: alertMessageOf(version) } },
      },
      responses: {
        '2XX': { description: 'The message is taken.' },
        '410': { description: 'The service disables the rule.' },
        default: { description: 'The service repeats the message.' },
      },
    },
  },
})

/** Example of an answer; undefined for an operation without a body. */
export function exampleOf(
  version: Version,
  { example, answerType }: Pick<Description, 'example' | 'answerType'>,
): unknown {
  const shown = version === 'v0' ? withoutAttributes(example) : example
  return answerType === EVENT_STREAM ? (shown as ServerSentEvent[]).map(eventText).join('') : shown
}

/** Example of a message to a webhook. */
const alertMessageOf = (version: Version) => ({
  type: 'face.seen',
  timestamp: '2026-11-22T09:57:26.012Z',
  data: version === 'v0' ? withoutAttributes(ALERT_DATA) : ALERT_DATA,
})

/** v0 has no attributes of faces. */
function withoutAttributes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAttributes)
  if (typeof value !== 'object' || value === null) return value
  const known = Object.entries(value).filter(([name]) => !(ATTRIBUTES as readonly string[]).includes(name))
  return Object.fromEntries(known.map(([name, field]) => [name, withoutAttributes(field)]))
}
