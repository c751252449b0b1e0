/** Checks an answer against the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { VERSIONS, type Version } from '#contract/operations/operation.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { documentOf } from '#edge/openapi/build-document.ts'

/** An answer with its request. */
interface Given {
  version: Version
  /** Lower case, as in the document. */
  method: string
  /** Without version and query. */
  path: string
  status: number
  /** The parsed JSON; undefined without a body. */
  body: unknown
  /** Not checked when absent. */
  headers?: Headers
}

/** Headers that the API defines, in contrast to headers of HTTP. */
const OF_THE_API = /^(x-.*|retry-after|www-authenticate|idempotency-.*)$/

const documents = Object.fromEntries(
  VERSIONS.map(version => [version, documentOf(version, OPERATIONS)]),
) as Record<Version, ReturnType<typeof documentOf>>

// JSON Schema validators do not know OpenAPI's own keywords.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
for (const version of VERSIONS) ajv.addSchema(documents[version], version)

const compiled = new Map<string, ValidateFunction>()

/** Differences between the answer and the document of its version; empty when there are none. */
export function objectionsTo({ version, method, path, status, body, headers }: Given): string[] {
  const template = templateFor(version, method, path)
  if (template === undefined) return [`${method} ${path} is not described`]
  const responses = documents[version].paths[template]?.[method]?.responses as Record<string, Response>
  const response = responses[status]
  if (!response) return [`${method} ${template} does not promise ${status}`]
  const { pointer, ...found } = resolved(version, response, ['paths', template, method, 'responses', status])
  const { content } = found
  const described = new Set(Object.keys(found.headers ?? {}).map(name => name.toLowerCase()))
  const undescribed = [...(headers?.keys() ?? [])].filter(
    name => OF_THE_API.test(name) && !described.has(name),
  )
  if (undescribed.length > 0) return [`${method} ${template} promises no header ${undescribed.join(', ')}`]
  if (!content) return body === undefined ? [] : [`${method} ${template} promises no body`]
  const [type = ''] = Object.keys(content)
  const schema = [...pointer, 'content', type, 'schema']
  const validate = validatorAt(`${version}#/${schema.map(escaped).join('/')}`)
  return validate(body) ? [] : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`)
}

/** A response object of OpenAPI, or a reference to one. */
interface Response {
  $ref?: string
  content?: object
  headers?: object
}

type Steps = readonly (string | number)[]

/** Resolves a reference; returns the response with the path of its definition in the document. */
function resolved(version: Version, response: Response, pointer: Steps): Response & { pointer: Steps } {
  const { $ref } = response
  if ($ref === undefined) return { ...response, pointer }
  const name = $ref.slice('#/components/responses/'.length)
  const { responses } = documents[version].components as { responses: Record<string, Response> }
  return { ...responses[name], pointer: ['components', 'responses', name] }
}

function validatorAt(ref: string): ValidateFunction {
  const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref })
  compiled.set(ref, validate)
  return validate
}

/** Escapes a step of a JSON pointer (RFC 6901) for a URL fragment. */
const escaped = (step: string | number) =>
  encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))

/** The described path that matches; paths with fewer parameters come first. */
function templateFor(version: Version, method: string, path: string) {
  const parameters = (template: string) => template.split('{').length
  return Object.entries(documents[version].paths)
    .filter(([template, operations]) => method in operations && pattern(template).test(path))
    .map(([template]) => template)
    .sort((a, b) => parameters(a) - parameters(b))[0]
}

const pattern = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`)
