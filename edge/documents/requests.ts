/** The parameters of an operation in the API's documents: of its path, of its query, and of a body in three encodings. */
import { attributes } from '../attributes.ts'
import type { Operation } from '../operation.ts'
import type { Version } from '../route.ts'
import { type JsonSchema, type ObjectSchema, type Written, writtenParameters } from '../written.ts'

/** `/face/id/:id` -> `/face/id/{id}` */
export const templateOf = (path: string): string => path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')

/** The name, among the document's schemas, of an operation's parameters in a body. */
const bodyName = ({ name }: Operation): string => `${name[0]?.toUpperCase()}${name.slice(1)}Parameters`

/** The schemas of bodies, as JSON and as a form, by their names. */
export function bodySchemas(operations: readonly Operation[], version: Version): Record<string, JsonSchema> {
  const withBody = operations.filter(operation => hasBody(operation, version))
  return Object.fromEntries(
    withBody.map(operation => {
      const { properties, required } = beyondPath(operation, version)
      return [bodyName(operation), { type: 'object', properties: mapped(properties, schemaOnly), required }]
    }),
  )
}

const hasBody = (operation: Operation, version: Version): boolean =>
  operation.method !== 'get' && Object.keys(beyondPath(operation, version).properties).length > 0

const beyondPath = (operation: Operation, version: Version): ObjectSchema =>
  without(parametersOf(operation, version), namesIn(operation.path))

/** Parameters of path and query, and the body if there is one. */
export function requestOf(operation: Operation, version: Version): JsonSchema {
  const all = parametersOf(operation, version)
  const inPath = namesIn(operation.path)
  const path = inPath.map(name => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOnly(all.properties[name] ?? {}),
  }))
  const rest = beyondPath(operation, version)
  if (!hasBody(operation, version)) return { parameters: [...path, ...queryOf(rest)] }
  return { parameters: [...path, wholeQueryOf(rest)], requestBody: bodyOf(operation, rest) }
}

/** All parameters. v0 does not know those of the attributes. */
function parametersOf({ parameters }: Operation, version: Version): ObjectSchema {
  const all = writtenParameters(parameters)
  return version === 'v0' ? without(all, Object.keys(attributes)) : all
}

const without = ({ properties, required }: ObjectSchema, names: readonly string[]): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
  required: required.filter(name => !names.includes(name)),
})

/** As a body that holds no files has it. */
const schemaOnly = ({ upload: _, ...schema }: Written): JsonSchema => schema

/** Each parameter by itself; lists of objects and the like as JSON text. */
const queryOf = ({ properties, required }: ObjectSchema): JsonSchema[] =>
  Object.entries(properties).map(([name, written]) => {
    const { description, ...schema } = schemaOnly(written)
    const shape = isComplex(written) ? { content: { 'application/json': { schema } } } : { schema }
    return {
      name,
      in: 'query',
      ...(description ? { description } : {}),
      required: required.includes(name),
      ...shape,
    }
  })

/** The query of an operation with a body: the same parameters again, none of them needed there. */
const wholeQueryOf = ({ properties }: ObjectSchema): JsonSchema => ({
  name: 'query',
  in: 'query',
  description:
    'Every parameter of the body may come in the query string instead; the body wins. Boxes and other objects are JSON text.',
  style: 'form',
  explode: true,
  schema: { type: 'object', properties: mapped(properties, schemaOnly), examples: [{}] },
})

/** The same parameters as JSON, as a form, and as multipart, where photos are files. */
function bodyOf(operation: Operation, { properties, required }: ObjectSchema): JsonSchema {
  const schema = { $ref: `#/components/schemas/${bodyName(operation)}` }
  const hasFiles = Object.values(properties).some(({ upload }) => upload)
  const parts = hasFiles ? partsOf({ type: 'object', properties, required }) : schema
  const complex = Object.keys(properties).filter(name => isComplex(properties[name] ?? {}))
  const encoding = Object.fromEntries(complex.map(name => [name, { contentType: 'application/json' }]))
  const multipart = { 'multipart/form-data': { schema: parts, encoding } }
  const others = {
    'application/json': { schema },
    'application/x-www-form-urlencoded': { schema, encoding },
  }
  // The first is what the interactive page offers.
  const content = hasFiles ? { ...multipart, ...others } : { ...others, ...multipart }
  return { required: required.length > 0, content }
}

/** A multipart body with files. The examples of what may be left out are empty: the interactive page sends what it shows. */
const partsOf = ({ properties, required }: ObjectSchema): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, written]) => {
      if (written.upload) return [name, fileOf(written)]
      const given = required.includes(name) || 'default' in written
      const examples = written.type === 'array' ? [[]] : ['']
      return [name, given ? schemaOnly(written) : { ...schemaOnly(written), examples }]
    }),
  ),
  required,
})

const fileOf = ({ description }: Written): JsonSchema => ({
  type: 'string',
  contentMediaType: 'application/octet-stream',
  ...(description ? { description } : {}),
})

const mapped = (properties: Record<string, Written>, map: (written: Written) => JsonSchema) =>
  Object.fromEntries(Object.entries(properties).map(([name, written]) => [name, map(written)]))

/** Written as JSON text where there are only texts: objects, lists of them, and what may be any JSON. */
function isComplex({ type, anyOf, items }: Written): boolean {
  if (type === 'array') return (items as JsonSchema | undefined)?.type === 'object'
  return type === 'object' || (type === undefined && anyOf === undefined)
}
