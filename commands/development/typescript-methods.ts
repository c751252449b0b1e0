/** Methods and named types of the TypeScript client, as the texts of its modules. */
import {
  ANSWER_SCHEMAS,
  type Argument,
  answerOf,
  answerTypes,
  type ClientMethod,
  classOf,
  clientMethods,
  type Parameters,
  parameterTypes,
  type Schema,
} from './client-methods.ts'

/** Fields of CallOptions, which stand beside the parameters of a query. */
const CALL_OPTIONS = ['signal', 'timeoutMs', 'retries', 'onRetry']

const SOURCE = '`npm run openapi` generates them from the declarations of the operations.'

/** The module with the types of parameters and answers. */
export function typescriptTypes(): string {
  const content = (body: string) => `${body}['content']['application/json']`
  // Two methods written by hand narrow the answer of verify.
  const named = answerTypes().filter(([, operation]) => operation !== 'verify')
  const answers = named.map(([type, operation]) => {
    const { status } = answerOf(operation)
    return `export type ${type} = ${content(`operations['${operation}']['responses'][${status}]`)}`
  })
  const schemas = ANSWER_SCHEMAS.map(
    ([name, { description }]) =>
      `${description ? `/** ${description} */\n` : ''}export type ${name} = components['schemas']['${name}']`,
  )
  return `/** Types of parameters and answers, by the names of the API. ${SOURCE} */
import type { components, operations } from './schema.ts'

${[...schemas, ...answers, ...parameterTypes().map(parameterType)].join('\n')}
`
}

function parameterType({ type, operation, in: place, schema, omitted, isForm }: Parameters) {
  const fields =
    place === 'query'
      ? `NonNullable<operations['${operation}']['parameters']['query']>`
      : `NonNullable<operations['${operation}']['requestBody']>['content']['${isForm ? 'multipart/form-data' : 'application/json'}']`
  const used =
    omitted.length > 0 ? `Omit<${fields}, ${omitted.map(name => `'${name}'`).join(' | ')}>` : fields
  const pages = 'pageSize' in schema.properties! ? ' & { pageSize?: number }' : ''
  return `export type ${type} = ${used}${pages}`
}

/** The module with the classes of the resources. */
export function typescriptMethods(): string {
  const classes = [...clientMethods()].map(
    ([resource, methods]) =>
      `export class ${classOf(resource)} extends Resource {\n${methods.map(methodText).join('\n\n')}\n}`,
  )
  const code = classes.join('\n\n')
  const types = [...answerTypes().map(([type]) => type), ...ANSWER_SCHEMAS.map(([name]) => name)]
  const used = [...types, ...new Set(parameterTypes().map(({ type }) => type))].filter(type =>
    new RegExp(`\\b${type}\\b`).test(code),
  )
  return `/** Methods of the client. ${SOURCE} */
import { type Photo, segment } from './fields.ts'
import { type Pages, Resource } from './pages.ts'
import type { CallOptions } from './send.ts'
import type { ${used.sort().join(', ')} } from './types.ts'

${code}
`
}

const pathText = (path: string) =>
  path.includes(':') ? `\`${path.replaceAll(/:(\w+)/g, '$' + '{segment($1)}')}\`` : `'${path}'`

function methodText(method: ClientMethod) {
  const { name, text, verb, path, galleryPath, args, optionalPhotos, parameters, answer } = method
  const place =
    galleryPath === undefined
      ? pathText(path)
      : `gallery === undefined ? ${pathText(path)} : ${pathText(galleryPath)}`
  const photos = args.filter(one => one.in === 'photo').map(one => one.name)
  const isList = ['list', 'results', 'pages'].includes(answer.kind)
  const mergesOptions = parameters?.in === 'query' && !isList
  const fields = parameterArgument(method, mergesOptions)
  const signature = [
    ...args.map(argumentText),
    ...(fields ? [fields] : []),
    ...(mergesOptions ? [] : ['options?: CallOptions']),
  ]
  const type = answerType(method)
  const head = `${documentation(text)}  ${name}(${signature.join(', ')}): ${type} {\n    return`
  if (isList) {
    const filter = parameters ? 'filter' : '{}'
    const used =
      method.pageSize === undefined
        ? filter
        : `{ ...filter, pageSize: filter.pageSize ?? ${method.pageSize} }`
    return `${head} this.pages(${place}, ${used}, options)\n  }`
  }
  const own = (where: Argument['in']) => args.filter(one => one.in === where).map(one => one.name)
  const object = (where: 'query' | 'body') => {
    const rest = parameters?.in === where ? '...parameters' : undefined
    const names = own(where)
    if (names.length === 0) return rest && `${where}: parameters`
    return `${where}: { ${[...(rest ? [rest] : []), ...names].join(', ')} }`
  }
  const pictures = [...photos, ...optionalPhotos]
  const request = [
    `method: '${verb}'`,
    `path: ${place}`,
    object('query'),
    object('body'),
    pictures.length > 0 && `photos: { ${pictures.join(', ')} }`,
    method.isRepeatable && 'repeatable: true',
  ].filter(Boolean)
  return `${head} this.send({ ${request.join(', ')} }, ${mergesOptions ? `{ ${CALL_OPTIONS.join(', ')} }` : 'options'})\n  }`
}

/** The parameter with the fields that are no arguments of their own. */
function parameterArgument(
  { galleryPath, optionalPhotos, parameters, answer }: ClientMethod,
  mergesOptions: boolean,
): string | undefined {
  const gallery = galleryPath === undefined ? [] : ['{ gallery?: string | undefined }']
  const photos = optionalPhotos.map(photo => `{ ${photo}?: Photo | undefined }`)
  const options = mergesOptions ? ['CallOptions'] : []
  const types = [...(parameters ? [parameters.type] : []), ...gallery, ...photos, ...options]
  if (types.length === 0) return undefined
  const rest =
    parameters && (['object', 'nothing', 'picture'].includes(answer.kind) ? 'parameters' : 'filter')
  const picked = [
    ...(gallery.length > 0 ? ['gallery'] : []),
    ...optionalPhotos,
    ...(mergesOptions ? CALL_OPTIONS : []),
  ]
  const name = picked.length === 0 ? rest : `{ ${[...picked, ...(rest ? [`...${rest}`] : [])].join(', ')} }`
  const isRequired = (parameters?.schema.required ?? []).length > 0
  return `${name}: ${types.join(' & ')}${isRequired ? '' : ' = {}'}`
}

function argumentText({ name, in: place, schema }: Argument) {
  if (place === 'photo') return `${name}: Photo`
  const { default: initial } = schema
  return `${name}: ${typeOf(schema)}${initial === undefined ? '' : ` = ${literal(initial)}`}`
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))

function typeOf({ type, items, enum: values }: Schema): string {
  if (values) return values.map(literal).join(' | ')
  if (items) return `readonly ${typeOf(items)}[]`
  return type === 'integer' ? 'number' : String(type)
}

function answerType({ answer: { kind, type } }: ClientMethod) {
  if (kind === 'nothing') return 'Promise<void>'
  if (kind === 'picture') return 'Promise<Blob>'
  return kind === 'object' ? `Promise<${type}>` : `Pages<${type}>`
}

const documentation = (text: string) => `  /** ${text.replaceAll('*/', '*\\/')} */\n`
