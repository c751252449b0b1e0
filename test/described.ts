/** What the API's documents promise of an answer, held against one that was given. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { documentOf } from '../edge/documents/document.ts'
import { OPERATIONS } from '../edge/operations.ts'
import { VERSIONS, type Version } from '../edge/route.ts'

/** An answer: to which request, and what came. */
export interface Given {
  version: Version
  /** As in the document: lower case. */
  method: string
  /** Without version and query. */
  path: string
  status: number
  /** The parsed JSON; undefined when there was no body. */
  body: unknown
}

const documents = Object.fromEntries(
  VERSIONS.map(version => [version, documentOf(version, OPERATIONS)]),
) as Record<Version, ReturnType<typeof documentOf>>

// OpenAPI's own keywords are unknown to a validator of JSON Schema.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
for (const version of VERSIONS) ajv.addSchema(documents[version], version)

const compiled = new Map<string, ValidateFunction>()

/** What is wrong with the answer by the document of its version; empty when nothing is. */
export function objectionsTo({ version, method, path, status, body }: Given): string[] {
  const template = templateFor(version, method, path)
  if (template === undefined) return [`${method} ${path} is not described`]
  const responses = documents[version].paths[template]?.[method]?.responses as Record<
    string,
    { content?: object }
  >
  const response = responses[status]
  if (!response) return [`${method} ${template} does not promise ${status}`]
  if (!response.content) return body === undefined ? [] : [`${method} ${template} promises no body`]
  const pointer = ['paths', template, method, 'responses', status, 'content', 'application/json', 'schema']
  const validate = validatorAt(`${version}#/${pointer.map(escaped).join('/')}`)
  return validate(body) ? [] : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`)
}

function validatorAt(ref: string): ValidateFunction {
  const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref })
  compiled.set(ref, validate)
  return validate
}

/** A step of a JSON pointer (RFC 6901) in a URL's fragment. */
const escaped = (step: string | number): string =>
  encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))

/** The described path that this one is of. Those with the fewest parameters go first. */
function templateFor(version: Version, method: string, path: string): string | undefined {
  const parameters = (template: string) => template.split('{').length
  return Object.entries(documents[version].paths)
    .filter(([template, operations]) => method in operations && pattern(template).test(path))
    .map(([template]) => template)
    .sort((a, b) => parameters(a) - parameters(b))[0]
}

const pattern = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`)
