/** Requests in the OpenAPI documents: parameters of path, query and headers, and the body. */
import { ATTRIBUTES } from '../../contract/model/attributes.ts'
import type { Version } from '../../contract/operations/operation.ts'
import type { Operation } from '../../contract/operations/table.ts'
import {
  type JsonSchema,
  type ObjectSchema,
  type OpenapiOverride,
  overriddenParameters,
} from '../../contract/parameters/json-schema.ts'
import { namesInPath } from '../http/paths.ts'

/** Parameters of path, headers and query. Methods with a body describe the body instead of the query. */
export function requestOf(operation: Operation, version: Version): JsonSchema {
  const all = parametersOf(operation, version)
  const inPath = namesInPath(operation.path)
  const rest = without(all, inPath)
  const named = [...inPath.map(name => pathParameter(name, all)), ...headersOf(operation)]
  const hasBody = operation.method !== 'get' && Object.keys(rest.properties).length > 0
  return hasBody
    ? { parameters: named, requestBody: bodyOf(rest) }
    : { parameters: [...named, ...queryOf(rest)] }
}

/** All parameters. v0 has no attribute parameters. */
function parametersOf({ parameters }: Operation, version: Version): ObjectSchema {
  const all = overriddenParameters(parameters)
  return version === 'v0' ? without(all, ATTRIBUTES) : all
}

const without = ({ properties, required }: ObjectSchema, names: readonly string[]): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
  required: required.filter(name => !names.includes(name)),
})

const pathParameter = (name: string, { properties }: ObjectSchema): JsonSchema => {
  const { description, ...schema } = schemaOnly(properties[name] ?? {})
  return { name, in: 'path', description, required: true, schema }
}

const headersOf = ({ requestHeaders = {} }: Operation): JsonSchema[] =>
  Object.entries(requestHeaders).map(([name, { description, ...schema }]) => ({
    name,
    in: 'header',
    description,
    required: false,
    schema,
  }))

/** The schema without the internal keyword `upload`. */
const schemaOnly = ({ upload: _, ...schema }: OpenapiOverride): JsonSchema => schema

/** Query parameters. Objects and lists of objects are JSON text. */
const queryOf = ({ properties, required }: ObjectSchema): JsonSchema[] =>
  Object.entries(properties).map(([name, written]) => {
    const { description, ...schema } = schemaOnly(written)
    const shape = isComplex(written) ? { content: { 'application/json': { schema } } } : { schema }
    return {
      name,
      in: 'query',
      description,
      required: required.includes(name),
      ...shape,
    }
  })

const IN_QUERY = 'The query string may also contain parameters. The body takes precedence.'

const URL_PHOTO = 'A JSON body or a URL-encoded form with the URL of a photo is also accepted.'

const RAW_PHOTO =
  'The body may also be the photo itself, of the type `image/*` or `application/octet-stream`. The query string then contains the other parameters.'

/**
 * The body. Its schema is inline: openapi-typescript treats a named schema as a response schema, and then requires every field
 * with a default.
 */
function bodyOf(body: ObjectSchema): JsonSchema {
  const photos = Object.values(body.properties).filter(({ upload }) => upload).length
  const description = [IN_QUERY, ...(photos > 0 ? [URL_PHOTO] : []), ...(photos === 1 ? [RAW_PHOTO] : [])]
  return {
    description: description.join(' '),
    required: body.required.length > 0,
    content: photos > 0 ? uploadContent(body) : plainContent(body),
  }
}

/**
 * Multipart only: @hey-api/openapi-ts prefers JSON where it is listed, and openapi-fetch merges the types of all listed
 * encodings into a type without fields.
 */
const uploadContent = (body: ObjectSchema): JsonSchema => ({
  'multipart/form-data': formContent(body, partOf),
})

function plainContent(body: ObjectSchema): JsonSchema {
  const form = formContent(body, schemaOnly)
  return {
    'application/json': { schema: schemaOf(body, schemaOnly) },
    'application/x-www-form-urlencoded': form,
    'multipart/form-data': form,
  }
}

const schemaOf = (body: ObjectSchema, map: (written: OpenapiOverride) => JsonSchema): JsonSchema => ({
  ...body,
  properties: Object.fromEntries(
    Object.entries(body.properties).map(([name, written]) => [name, map(written)]),
  ),
})

/** A form. Its objects and lists of objects are JSON text. */
function formContent(body: ObjectSchema, map: (written: OpenapiOverride) => JsonSchema): JsonSchema {
  const complex = Object.keys(body.properties).filter(name => isComplex(body.properties[name] ?? {}))
  const encoding = Object.fromEntries(complex.map(name => [name, { contentType: 'application/json' }]))
  return { schema: schemaOf(body, map), ...(complex.length > 0 ? { encoding } : {}) }
}

/** OpenAPI 3.1 defines `contentMediaType`; many client generators only support `format`. */
const BINARY = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }

/** A field of a multipart body. */
const partOf = (written: OpenapiOverride): JsonSchema =>
  written.upload ? { ...BINARY, description: written.description } : schemaOnly(written)

/** True for parameters that are JSON text in a query or a form: objects, lists of objects, and any JSON. */
function isComplex({ type, anyOf, items }: OpenapiOverride) {
  if (type === 'array') return (items as JsonSchema | undefined)?.type === 'object'
  return type === 'object' || (type === undefined && anyOf === undefined)
}
