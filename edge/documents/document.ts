/** The API's documents: OpenAPI 3.1, made of the operations and of the schemas that check and shape their messages. */
import * as z from 'zod'
import { NEEDS } from '../../core/contract/scope.ts'
import type { Operation, Topic } from '../operation.ts'
import type { Version } from '../route.ts'
import { dropWholeRange, type JsonSchema } from '../written.ts'
import { introductionTo } from './introduction.ts'
import { RefusalBody, refusalExamples, refusalsOf } from './refusals.ts'
import { bodySchemas, requestOf, templateOf } from './requests.ts'

export type Document = { openapi: string; paths: Record<string, Record<string, JsonSchema>> } & JsonSchema

/** What is said of each group of operations, in the order of the document. */
const TOPICS: Record<Topic, string> = {
  Photos: 'Faces on photos: find them, compare them, and search for whom they show.',
  Faces: 'Faces that are stored.',
  Galleries: 'Named sets of faces.',
  Persons: 'Whom faces are of.',
  History: 'Faces that cameras have posted, as events.',
  Cameras: 'Cameras that post faces.',
}

/** The document of a version. `operations` are all that it serves. */
export function documentOf(version: Version, operations: readonly Operation[]): Document {
  const { answers, schemas } = answerSchemas(version, operations)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Mien',
      version,
      description: introductionTo(version),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `/${version}` }],
    security: [{ token: [] }],
    tags: topicsOf(operations).map(name => ({ name, description: TOPICS[name] })),
    paths: pathsOf(operations, version, answers),
    components: {
      schemas: { ...schemas, ...bodySchemas(operations, version) },
      examples: refusalExamples(),
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word `Token`, a space and the token: `Token mien_...`',
        },
      },
    },
  }
}

const topicsOf = (operations: readonly Operation[]): Topic[] =>
  (Object.keys(TOPICS) as Topic[]).filter(topic => operations.some(operation => operation.topic === topic))

function pathsOf(
  operations: readonly Operation[],
  version: Version,
  answers: Record<string, JsonSchema>,
): Document['paths'] {
  const paths: Document['paths'] = {}
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
      description: answer ? 'The answer.' : 'Done.',
      headers: headersOf(operation),
      ...(answer ? { content: { 'application/json': { schema: answer } } } : {}),
    },
    ...refusalsOf(operation.refusals ?? []),
  },
})

const headersOf = ({ headers = {} }: Operation): JsonSchema => {
  const all = Object.entries({ 'X-Request-Id': 'Names this request in our log.', ...headers })
  return Object.fromEntries(
    all.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )
}

/** What a caller has to know, whose tokens allow it, and where else the operation is. */
function detailsOf({ details, needs, aliases = [] }: Operation): { description: string } {
  const scopes = `For tokens of the scope ${codes(NEEDS[needs])}.`
  const elsewhere = aliases.length > 0 ? `Also at ${codes(aliases.map(templateOf))}.` : undefined
  return { description: [details, scopes, elsewhere].filter(part => part).join('\n\n') }
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
