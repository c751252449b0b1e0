/** The API's documents: OpenAPI 3.1, made of the operations and of the schemas that check and shape their messages. */
import * as z from 'zod'
import { NEEDS } from '../../core/contract/model/scope.ts'
import type { Operation, Topic } from '../operations/operation.ts'
import type { Version } from '../operations/route.ts'
import { exampleOf } from './examples.ts'
import { successHeaders, usedHeaders } from './headers.ts'
import { introductionTo } from './introduction.ts'
import { dropWholeRange, type JsonSchema } from './overrides.ts'
import { RefusalBody, refusalExamples, refusalsOf, sharedRefusals } from './refusals.ts'
import { requestOf, templateOf } from './requests.ts'

export type OpenapiDocument = {
  openapi: string
  paths: Record<string, Record<string, JsonSchema>>
} & JsonSchema

/** Descriptions of the tags, in the order of the document. */
const TOPICS: Record<Topic, string> = {
  Photos: 'Detect faces on photos, compare them, and search for the people they show.',
  Faces: 'Stored faces.',
  Galleries: 'Named sets of faces.',
  Persons: 'People whose faces are stored.',
  History: 'Events: faces that cameras have posted.',
  Cameras: 'Cameras that post faces.',
}

/** The document of a version. `operations` are all that it serves. */
export function documentOf(version: Version, operations: readonly Operation[]): OpenapiDocument {
  const { answers, schemas } = answerSchemas(version, operations)
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
    servers: [{ url: `/${version}`, description: 'The service that this document comes from.' }],
    // Client generators send a bare token by the first scheme.
    security: [{ bearer: [] }, { token: [] }],
    tags: topicsOf(operations).map(name => ({ name, description: TOPICS[name] })),
    paths,
    components: {
      schemas,
      responses,
      headers: usedHeaders({ paths, responses }),
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
    description: 'The word `Token`, a space and the token: `Token mien_...`',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The token alone: `mien_...`' },
}

const topicsOf = (operations: readonly Operation[]): Topic[] =>
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
        ? { content: { 'application/json': { schema: answer, ...exampleIn(version, operation) } } }
        : {}),
    },
    ...refusalsOf(operation.refusals ?? []),
  },
})

function exampleIn(version: Version, { name }: Operation): JsonSchema {
  const example = exampleOf(version, name)
  return example === undefined ? {} : { example }
}

/** What a caller has to know, which tokens allow the operation, and its other paths. */
function detailsOf({ details, needs, aliases = [] }: Operation): { description: string } {
  const scopes = NEEDS[needs]
  const allowed = `Token scope: ${codes(scopes)}${scopes.length > 1 ? ' (any of them)' : ''}.`
  const elsewhere = aliases.length > 0 ? `Other paths: ${codes(aliases.map(templateOf))}.` : undefined
  return { description: [details, allowed, elsewhere].filter(part => part).join('\n\n') }
}

const codes = (texts: readonly string[]): string => texts.map(text => `\`${text}\``).join(', ')

/** The schema of each operation's answer, and the named schemas that these refer to. */
function answerSchemas(version: Version, operations: readonly Operation[]) {
  const shapes = operations.flatMap(({ name, answer, answerOfV1 = answer }) => {
    const shape = version === 'v1' ? answerOfV1 : answer
    return shape ? [[name, shape] as const] : []
  })
  // In one schema, so that what they share is there once.
  const all = z.object({ ...Object.fromEntries(shapes), refusal: RefusalBody })
  const { properties, $defs } = z.toJSONSchema(all, { override: dropWholeRange })
  const hoisted = JSON.stringify({ answers: properties, schemas: $defs }).replaceAll(
    '"#/$defs/',
    '"#/components/schemas/',
  )
  return JSON.parse(hoisted) as { answers: Record<string, JsonSchema>; schemas: Record<string, JsonSchema> }
}
