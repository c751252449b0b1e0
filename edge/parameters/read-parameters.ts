/** Reads the parameters of a request from its query string and its JSON, form, multipart or image body. */
import { badParam, ServiceError, tooLarge } from '../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'
import { Upload } from '../../contract/parameters/photos.ts'
import { isPhotoFile } from '../../wasm/decode/header.ts'
import type { Permit } from '../admission/admission.ts'
import { readBody } from '../http/body.ts'
import { photoInText } from './encodings/data-url.ts'
import { readForm } from './encodings/form.ts'
import { jsonNames, refuseByteLists } from './encodings/json.ts'
import { boundaryOf } from './encodings/multipart.ts'
import { readParts } from './encodings/multipart-fields.ts'
import { type FieldSet, fieldSet, repeatedParam, textOf } from './encodings/named-fields.ts'
import type { KnownParameters } from './known-parameters.ts'

/** Values by name: a text, lists and objects of texts, an upload, or any JSON value of a JSON body. */
type RequestParameters = Record<string, unknown>

export interface ParsedParameters {
  /** Values of the known parameters. */
  parameters: RequestParameters
  /** Names of parameters whose text arrived as a file. Error responses must not repeat this text. */
  fromFiles: ReadonlySet<string>
  /** Names that the operation does not know. */
  unknown: ReadonlySet<string>
}

type SourceParameters = Partial<ParsedParameters>

/**
 * Reads all parameters. The body takes precedence over the query. Throws BAD_PARAM, MALFORMED_JSON or PHOTO_TOO_LARGE, and
 * SERVICE_UNAVAILABLE when the memory for the body is not available.
 */
export async function readParameters(
  request: Request,
  permit: Permit,
  known: KnownParameters,
): Promise<ParsedParameters> {
  const query = await formParameters(
    new TextEncoder().encode(new URL(request.url).search.slice(1)),
    known,
    'query',
  )
  const body = await bodyParameters(request, permit, known)
  return {
    parameters: { ...query.parameters, ...body.parameters },
    fromFiles: body.fromFiles ?? new Set(),
    unknown: new Set([...(query.unknown ?? []), ...(body.unknown ?? [])]),
  }
}

async function bodyParameters(
  request: Request,
  permit: Permit,
  known: KnownParameters,
): Promise<SourceParameters> {
  if (!request.body) return {}
  const [type = '', ...attributes] = (request.headers.get('content-type') ?? '').split(';')
  const mediaType = type.trim().toLowerCase()
  if (mediaType === 'multipart/form-data')
    return readParts(request, permit, boundaryOf(attributes.join(';')), known)
  const isImage = mediaType.startsWith('image/') && known.photos.length > 0
  if (isImage) refuseSecondPhoto(known)
  const most = REQUEST_LIMITS.plainBodyBytes + known.photos.length * REQUEST_LIMITS.dataUrlBytes
  const body = await readBody(request, permit, { most: isImage ? PHOTO_LIMITS.bytes : most })
  if (known.photos.length > 0 && isPhotoBody(body, mediaType)) return photoParameters(body, known)
  // Some clients send JSON without its content type, and curl declares it as a form. Other bodies contain no parameters.
  if (mediaType === 'application/json' || firstByte(body) === OPENING_BRACE)
    return jsonParameters(body, known, request.method)
  if (mediaType === 'application/x-www-form-urlencoded') return formParameters(body, known, 'body')
  return {}
}

const OPENING_BRACE = 0x7b

/** White space, and the byte order mark of UTF-8. */
const SKIPPED = [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]

/** The first byte of a text. Undefined for a body that is empty or begins with much white space. */
const firstByte = (body: Uint8Array) => body.subarray(0, 64).find(byte => !SKIPPED.includes(byte))

/** Media types of bytes that the sender knows nothing about. */
const UNKNOWN_TYPES = ['', 'application/octet-stream', 'binary/octet-stream']

/** Whether a body is a photo itself. Its bytes decide: curl and other programs declare any file as a form. */
function isPhotoBody(body: Uint8Array, mediaType: string) {
  const first = firstByte(body)
  return (
    (first !== undefined && UNKNOWN_TYPES.includes(mediaType) && first !== OPENING_BRACE) ||
    (body.length > 0 && mediaType.startsWith('image/')) ||
    isPhotoFile(body)
  )
}

/** Parameters of a body that is the photo itself. Throws BAD_PARAM for an operation with two photos. */
function photoParameters(body: Uint8Array<ArrayBuffer>, known: KnownParameters): SourceParameters {
  refuseSecondPhoto(known)
  const [photo = ''] = known.photos
  if (body.length > PHOTO_LIMITS.bytes) throw tooLarge(photo, PHOTO_LIMITS.bytes)
  return { parameters: { [photo]: new Upload(body, '') } }
}

function refuseSecondPhoto({ photos: [photo = '', another] }: KnownParameters) {
  if (another === undefined) return
  throw badParam(photo, '', `${photo}: expected a multipart file, a URL or a data: URL. ${TWO_PHOTOS}`)
}

const TWO_PHOTOS = 'A body that is a photo holds one, and this operation takes two.'

async function formParameters(
  bytes: Uint8Array,
  known: KnownParameters,
  source: string,
): Promise<SourceParameters> {
  const fields = fieldSet(known, source)
  await readForm(bytes, (name, value) => putText(fields, new TextDecoder().decode(name), value, known))
  return { parameters: fields.parameters(), unknown: fields.unknown }
}

async function putText(fields: FieldSet, name: string, bytes: Uint8Array, known: KnownParameters) {
  const field = fields.meet(name)
  if (field === undefined) return
  const isPhoto = known.photos.includes(field.root)
  const photo = isPhoto ? await photoInText(field.root, bytes, { plusIsSpace: true }) : undefined
  fields.put(field, photo ?? textOf(field.root, bytes))
}

async function jsonParameters(
  body: Uint8Array,
  known: KnownParameters,
  method: string,
): Promise<SourceParameters> {
  if (body.length === 0) return {}
  const names = await jsonNames(body)
  if (names === undefined) {
    refuseByteLists(body, known.photos)
    throw badParam('body', '', TOO_MUCH_JSON)
  }
  const value = parseJson(body)
  if (!isObject(value)) {
    if (mayBeIgnored(value, known, method)) return {}
    throw new ServiceError('MALFORMED_JSON')
  }
  const parameters = new Map<string, unknown>()
  const unknown = new Set<string>()
  refuseRepeated(names, known)
  for (const [key, given] of Object.entries(value)) {
    const name = withoutBrackets(key)
    if (!known.kinds.has(name)) {
      if (!known.unused.has(name)) unknown.add(name.slice(0, REQUEST_LIMITS.parameterNameLength))
      continue
    }
    // Null stands for a parameter that is not given. The query may give it.
    if (given === null) continue
    parameters.set(name, known.photos.includes(name) ? await photoOf(name, given, body) : given)
  }
  return { parameters: Object.fromEntries(parameters), unknown }
}

const TOO_MUCH_JSON =
  `body: expected at most ${REQUEST_LIMITS.requestFields} names, ${REQUEST_LIMITS.jsonValues} values and ` +
  `${REQUEST_LIMITS.nestingLevels} levels in each parameter.`

/** Converts `galleries[]` to `galleries`. */
const withoutBrackets = (name: string) => (name.endsWith('[]') ? name.slice(0, -2) : name)

/** Throws BAD_PARAM for repeated names, because JSON.parse silently keeps the last of several members with one name. */
function refuseRepeated(names: readonly Uint8Array[], known: KnownParameters) {
  const seen = new Set<string>()
  for (const bytes of names) {
    if (bytes.length > REQUEST_LIMITS.parameterNameLength) continue
    const name = withoutBrackets(String(JSON.parse(new TextDecoder().decode(bytes))))
    if (known.kinds.has(name) && seen.has(name)) throw repeatedParam(name)
    seen.add(name)
  }
}

/** Throws MALFORMED_JSON. */
function parseJson(body: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)
  } catch (cause) {
    throw new ServiceError('MALFORMED_JSON', { reason: 'The body is not text in UTF-8.' }, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('MALFORMED_JSON', {}, { cause })
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const NEED_NO_BODY = ['GET', 'HEAD', 'DELETE']

/**
 * Whether a JSON body that is no object stands for no parameters: any value where a request needs no body, and null, 0, "" or []
 * where all parameters are optional.
 */
function mayBeIgnored(value: unknown, { needs }: KnownParameters, method: string) {
  if (needs === 'nothing' || NEED_NO_BODY.includes(method)) return true
  return needs === 'optional' && (!value || (Array.isArray(value) && value.length === 0))
}

/** Decodes a data URL to an upload. Other values are checked later. */
async function photoOf(name: string, given: unknown, body: Uint8Array): Promise<unknown> {
  if (typeof given === 'object') refuseByteLists(body, [name])
  if (typeof given !== 'string') return given
  if (given.length > REQUEST_LIMITS.dataUrlBytes) throw tooLarge(name, PHOTO_LIMITS.bytes)
  return (await photoInText(name, new TextEncoder().encode(given))) ?? given
}
