/** Methods and types of both clients, from the declarations of the operations and the OpenAPI document of v1. */
import { isFileType } from '../../clients/typescript/src/send.ts'
import { isChanging } from '../../contract/operations/operation.ts'
import { type ApiOperation, OPERATIONS, type Operation } from '../../contract/operations/table.ts'
import { namesInPath } from '../../edge/http/paths.ts'
import { documentOf } from '../../edge/openapi/build-document.ts'

/** A schema of the document, as far as types need it. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  description?: string
  default?: unknown
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema | false
  prefixItems?: readonly Schema[]
  anyOf?: readonly Schema[]
  enum?: readonly string[]
  additionalProperties?: boolean | Schema
}

/** Names of the types of parameters. An operation with the type of another one has the same parameters. */
const PARAMETER_TYPES: Readonly<Partial<Record<ApiOperation, string>>> = {
  detect: 'DetectParameters',
  verify: 'VerifyParameters',
  identify: 'IdentifyParameters',
  enrol: 'EnrolParameters',
  getFace: 'FaceOptions',
  updateFace: 'FaceChange',
  listFaces: 'FacesFilter',
  listMetas: 'MetasFilter',
  createGallery: 'GalleryParameters',
  changeGallery: 'GalleryChange',
  listPersons: 'PersonsFilter',
  listPersonSummaries: 'SummariesFilter',
  getPersonSummary: 'SummaryOptions',
  suggestPersons: 'SuggestionFilter',
  updatePerson: 'PersonChange',
  splitPerson: 'SplitParameters',
  personHistory: 'PersonHistoryFilter',
  browseHistory: 'HistoryFilter',
  followEvents: 'EventFilter',
  exportEvidence: 'EvidenceParameters',
  createCamera: 'CameraParameters',
  changeCamera: 'CameraChange',
  leaseCamera: 'CameraReport',
  putRecording: 'RecordingPiece',
  getRecording: 'RecordingOffset',
  createAlert: 'AlertParameters',
  changeAlert: 'AlertParameters',
  listDeliveries: 'DeliveryFilter',
  listAlertHistory: 'AlertHistoryFilter',
  subscribeBrowser: 'Subscription',
  createToken: 'TokenParameters',
  rotateToken: 'RotationParameters',
  inviteUser: 'Invitation',
  listAuditLog: 'AuditLogFilter',
  changeSettings: 'SettingsChange',
}

/** Names of the types of answers that are no schema of the document. */
const ANSWER_TYPES: Readonly<Partial<Record<ApiOperation, string>>> = {
  detect: 'DetectAnswer',
  verify: 'VerifyAnswer',
  identify: 'IdentifyAnswer',
  leaseCamera: 'CameraLease',
  createAlert: 'NewAlert',
  changeAlert: 'NewAlert',
  rotateAlertSecret: 'NewSecret',
  markAlertSeen: 'AlertMark',
  listNotifications: 'Notifications',
  subscribeBrowser: 'NewSubscription',
}

/** Parameters of hand-written methods. These methods pass them otherwise. */
const BY_HAND: Readonly<Partial<Record<ApiOperation, readonly string[]>>> = {
  verify: ['person_id'],
  followEvents: ['last_event_id', 'alerts'],
}

/** Schemas that no answer has alone. */
const INTERNAL = ['Refusal', 'Liveness']

/** Entries per request where the API would return all of them at once. */
const DEFAULT_PAGE_SIZE = 100

/** The operation in the document. */
interface Described {
  summary: string
  description?: string
  parameters?: readonly {
    name: string
    in: string
    required?: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> }
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: Schema }>> }>>
}

/** Named parameters: the fields of a query or a body that are no arguments of their own. */
export interface Parameters {
  type: string
  operation: ApiOperation
  in: 'query' | 'body'
  schema: Schema
  /** Fields of the query or the body that the type does not have. */
  omitted: readonly string[]
  /** The body is a form with photos, otherwise JSON. */
  isForm: boolean
}

export interface Argument {
  name: string
  in: 'path' | 'query' | 'body' | 'photo'
  schema: Schema
}

interface Answer {
  /** `list`: the body is an array; `results`: it has one; `pages`: it also has links to further pages. */
  kind: 'nothing' | 'picture' | 'object' | 'list' | 'results' | 'pages'
  /** Type of the body or of an entry: a name or a scalar. */
  type: string
}

export interface ClientMethod {
  /** `cameras`; empty for a method of the client itself. */
  resource: string
  name: string
  /** Description in Markdown, as one paragraph. */
  text: string
  verb: string
  /** Path with `:id` for an argument. */
  path: string
  /** Path in a gallery, if that is optional. */
  galleryPath: string | undefined
  args: readonly Argument[]
  /** Names of photos that are optional. */
  optionalPhotos: readonly string[]
  parameters: Parameters | undefined
  answer: Answer
  /** Has the same effect once and twice, although it is a POST. */
  isRepeatable: boolean
  /** Undefined: the API's default. */
  pageSize: number | undefined
}

const { paths, components } = documentOf('v1', OPERATIONS) as unknown as {
  paths: Readonly<Record<string, Readonly<Record<string, Described & { operationId: string }>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

/** The named schemas of answers. */
export const { schemas: SCHEMAS } = components
export const ANSWER_SCHEMAS = Object.entries(SCHEMAS).filter(([name]) => !INTERNAL.includes(name))

const DESCRIBED = new Map(
  Object.values(paths)
    .flatMap(path => Object.values(path))
    .map(operation => [operation.operationId, operation]),
)

const describedOf = (name: ApiOperation): Described => DESCRIBED.get(name)!

/** Fields that are not in the path: of the query, or of the body with its photos. */
function fieldsOf(name: ApiOperation): { in: 'query' | 'body'; schema: Schema } {
  const { requestBody, parameters = [] } = describedOf(name)
  const content = requestBody?.content
  const body = content?.['application/json'] ?? content?.['multipart/form-data']
  if (body) return { in: 'body', schema: body.schema }
  const query = parameters.filter(one => one.in === 'query')
  const properties = query.map(({ name, schema, description }) => [
    name,
    { ...schema, ...(description && { description }) },
  ])
  const required = query.filter(one => one.required).map(one => one.name)
  return { in: 'query', schema: { properties: Object.fromEntries(properties), required } }
}

const isPhoto = ({ format }: Schema) => format === 'binary'

/** Type of the parameters without arguments, photos, and fields that lists have for their pages. Undefined if no field remains. */
function parametersOf(name: ApiOperation, args: readonly string[]): Parameters | undefined {
  const { in: place, schema } = fieldsOf(name)
  const { properties = {}, required = [] } = schema
  const photos = Object.keys(properties).filter(field => isPhoto(properties[field]!))
  const omitted = [...args, ...photos, ...(BY_HAND[name] ?? []), 'limit', 'min_id'].filter(
    field => field in properties,
  )
  const left = Object.entries(properties).filter(([field]) => !omitted.includes(field))
  if (left.length === 0) return undefined
  const type = PARAMETER_TYPES[name]
  if (type === undefined) throw new Error(`PARAMETER_TYPES: expected a name for ${name}.`)
  const pages: Schema = { type: 'integer', description: 'Entries per request.' }
  const all = { ...Object.fromEntries(left), ...('limit' in properties && { pageSize: pages }) }
  const remaining = { properties: all, required: required.filter(field => !omitted.includes(field)) }
  return { type, operation: name, in: place, schema: remaining, omitted, isForm: photos.length > 0 }
}

/** Types of parameters by their names, also of methods that are written by hand. */
export function parameterTypes(): Parameters[] {
  const all = OPERATIONS.filter(({ name }) => name in PARAMETER_TYPES).map(
    ({ name, client }) => parametersOf(name, argumentNames(client))!,
  )
  return all.filter(({ type }, i) => all.findIndex(other => other.type === type) === i)
}

/** Schema of the body of a success, and its status. */
export function answerOf(name: ApiOperation): { status: string; schema: Schema | undefined; type: string } {
  const [status, response] = Object.entries(describedOf(name).responses).find(([one]) => one.startsWith('2'))!
  const [type, content] = Object.entries(response.content ?? {})[0] ?? ['']
  return { status, schema: content?.schema, type }
}

/** Types of answers that are no schema of the document, by their names. */
export const answerTypes = (): [type: string, operation: ApiOperation][] =>
  (Object.entries(ANSWER_TYPES) as [ApiOperation, string][])
    .filter(([, type], i, all) => all.findIndex(([, other]) => other === type) === i)
    .map(([operation, type]) => [type, operation])

function typedAnswerOf(name: ApiOperation): Answer {
  const { schema, type } = answerOf(name)
  if (!schema) return { kind: 'nothing', type: '' }
  if (isFileType(type)) return { kind: 'picture', type: '' }
  const named = ({ $ref, type }: Schema) => $ref?.split('/').at(-1) ?? String(type)
  if (schema.type === 'array') return { kind: 'list', type: named(schema.items as Schema) }
  const { results, next_page } = schema.properties ?? {}
  if (ANSWER_TYPES[name] !== undefined) return { kind: 'object', type: ANSWER_TYPES[name] }
  if (results?.items) return { kind: next_page ? 'pages' : 'results', type: named(results.items) }
  return { kind: 'object', type: named(schema) }
}

const argumentNames = (client = '') => /\((.*)\)/.exec(client)?.[1]?.split(', ') ?? []

/** Texts of metas stand in the query: as segments of a path, they could be another path. */
const shortest = ({ path, aliases = [] }: Operation) =>
  [path, ...aliases].reduce((best, one) => (namesInPath(one).length < namesInPath(best).length ? one : best))

/** The method of an operation; `inGallery` is the operation with the same method in a gallery. */
function methodOf(operation: Operation, inGallery: Operation | undefined): ClientMethod {
  const { name, client = '', method, summary } = operation
  const [, resource = '', verb] = /^(?:(\w+)\.)?(\w+)/.exec(client)!
  const described = describedOf(name)
  const { schema } = fieldsOf(name)
  const { properties = {}, required = [] } = schema
  const path = shortest(operation)
  const pathSchema = (one: string) => described.parameters!.find(({ name }) => name === one)!.schema
  const inPath = namesInPath(operation.path).map(
    (one): Argument => ({
      name: one,
      in: namesInPath(path).includes(one) ? 'path' : 'query',
      schema: pathSchema(one),
    }),
  )
  const photos = Object.keys(properties).filter(field => isPhoto(properties[field]!))
  const args: Argument[] = [
    ...inPath,
    ...photos
      .filter(photo => required.includes(photo))
      .map((photo): Argument => ({ name: photo, in: 'photo', schema: {} })),
    ...argumentNames(client).map(
      (field): Argument => ({ name: field, in: 'body', schema: properties[field]! }),
    ),
  ]
  const isRepeatable = method === 'post' && !isChanging(operation)
  const isLost = method === 'post' && !isRepeatable
  return {
    resource,
    name: verb!,
    verb: method.toUpperCase(),
    path,
    args,
    text: [
      `${summary}.`,
      operation.details?.replaceAll('\n\n', ' '),
      inGallery && 'With `gallery`, of this gallery only.',
      isLost && 'Not repeated after a lost answer: it may be done.',
    ]
      .filter(Boolean)
      .join(' '),
    galleryPath: inGallery && shortest(inGallery),
    optionalPhotos: photos.filter(photo => !required.includes(photo)),
    parameters: parametersOf(name, argumentNames(client)),
    answer: typedAnswerOf(name),
    isRepeatable,
    pageSize: properties.limit?.default === 0 ? DEFAULT_PAGE_SIZE : undefined,
  }
}

/** The generated methods by their resources, in the order of the declarations. */
export function clientMethods(): Map<string, ClientMethod[]> {
  const declared = OPERATIONS.filter(({ client }) => client !== undefined)
  const methods = [...Map.groupBy(declared, ({ client }) => client).values()].map(operations => {
    const [first, second] = operations.toSorted(
      (a, b) => namesInPath(a.path).length - namesInPath(b.path).length,
    )
    return methodOf(first!, second)
  })
  return Map.groupBy(methods, ({ resource }) => resource)
}

/** Name of the class of a resource. */
export const classOf = (resource: string): string =>
  resource === '' ? 'PhotoMethods' : resource[0]!.toUpperCase() + resource.slice(1)
