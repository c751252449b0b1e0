/** Reads the parameters of a request from its query string and its JSON, form, multipart or image body. */
import { badParam, ServiceError, tooLarge } from '../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'
import { Upload } from '../../contract/parameters/photos.ts'
import type { Permit } from '../admission/admission.ts'
import { readBody } from '../http/body.ts'
import { isDataUrl, photoOfDataUrl } from '../http/encodings/data-url.ts'
import { readForm } from '../http/encodings/form.ts'
import { jsonNames } from '../http/encodings/json.ts'
import { boundaryOf } from '../http/encodings/multipart.ts'
import { readParts } from '../http/encodings/multipart-fields.ts'
import { type FieldSet, fieldSet, repeated } from '../http/encodings/named-fields.ts'
import type { KnownParameters } from './known-parameters.ts'

/** Values by name: a text, lists and objects of texts, an upload, or any JSON value of a JSON body. */
export type RequestParameters = Record<string, unknown>

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
  if (mediaType.startsWith('image/') && known.photos.length > 0)
    return imageParameters(request, permit, known)
  const most = REQUEST_LIMITS.plainBodyBytes + known.photos.length * REQUEST_LIMITS.dataUrlBytes
  const body = await readBody(request, permit, { most })
  if (mediaType === 'application/x-www-form-urlencoded') return formParameters(body, known, 'body')
  // Some clients send JSON without its content type. Other bodies contain no parameters.
  if (mediaType === 'application/json' || body[0] === OPENING_BRACE) return jsonParameters(body, known)
  return {}
}

const OPENING_BRACE = 0x7b

/** Reads a body that is the photo itself. Throws BAD_PARAM for an operation with two photos. */
async function imageParameters(
  request: Request,
  permit: Permit,
  known: KnownParameters,
): Promise<SourceParameters> {
  const [photo = '', another] = known.photos
  if (another !== undefined)
    throw badParam(photo, '', `${photo}: expected a multipart file, a URL or a data: URL. ${TWO_PHOTOS}`)
  const bytes = await readBody(request, permit, { most: PHOTO_LIMITS.bytes })
  return bytes.length === 0 ? {} : { parameters: { [photo]: new Upload(bytes, '') } }
}

const TWO_PHOTOS = 'A body of type image/* holds one photo, and this operation takes two.'

async function formParameters(
  bytes: Uint8Array,
  known: KnownParameters,
  source: string,
): Promise<SourceParameters> {
  const fields = fieldSet(known, source)
  await readForm(bytes, (name, value) => putText(fields, new TextDecoder().decode(name), value, known))
  return { parameters: fields.parameters(), unknown: fields.unknown }
}

async function putText(
  fields: FieldSet,
  name: string,
  bytes: Uint8Array,
  known: KnownParameters,
): Promise<void> {
  const field = fields.meet(name)
  if (field === undefined) return
  const isPhoto = known.photos.includes(field.root) && isDataUrl(bytes)
  fields.put(field, isPhoto ? await photoOfDataUrl(field.root, bytes) : textOf(field.root, bytes))
}

/** Decodes UTF-8. Throws BAD_PARAM for other bytes. */
function textOf(param: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError(
      'BAD_PARAM',
      { param, value: '', reason: `${param}: expected text in UTF-8.` },
      { cause },
    )
  }
}

async function jsonParameters(body: Uint8Array, known: KnownParameters): Promise<SourceParameters> {
  if (body.length === 0) return {}
  const names = await jsonNames(body)
  if (names === undefined) throw badParam('body', '', TOO_MUCH_JSON)
  const value = parseJson(body)
  const parameters = new Map<string, unknown>()
  const unknown = new Set<string>()
  refuseRepeated(names, known)
  for (const [key, given] of Object.entries(value)) {
    const name = withoutBrackets(key)
    if (!known.kinds.has(name)) {
      if (!known.unused.has(name)) unknown.add(name.slice(0, REQUEST_LIMITS.parameterNameLength))
    } else if (known.photos.includes(name)) parameters.set(name, await photoOf(name, given))
    else parameters.set(name, given)
  }
  return { parameters: Object.fromEntries(parameters), unknown }
}

const TOO_MUCH_JSON =
  `body: expected at most ${REQUEST_LIMITS.requestFields} names, ${REQUEST_LIMITS.jsonValues} values and ` +
  `${REQUEST_LIMITS.nestingLevels} levels in each parameter.`

/** Converts `galleries[]` to `galleries`. */
const withoutBrackets = (name: string): string => (name.endsWith('[]') ? name.slice(0, -2) : name)

/** Throws BAD_PARAM for repeated names, because JSON.parse silently keeps the last of several members with one name. */
function refuseRepeated(names: readonly Uint8Array[], known: KnownParameters): void {
  const seen = new Set<string>()
  for (const bytes of names) {
    if (bytes.length > REQUEST_LIMITS.parameterNameLength) continue
    const name = withoutBrackets(String(JSON.parse(new TextDecoder().decode(bytes))))
    if (known.kinds.has(name) && seen.has(name)) throw repeated(name)
    seen.add(name)
  }
}

function parseJson(body: Uint8Array): object {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body))
  } catch (cause) {
    throw new ServiceError('MALFORMED_JSON', {}, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('MALFORMED_JSON')
  return value
}

/** Decodes a data URL to an upload. Other values are checked later. */
async function photoOf(name: string, given: unknown): Promise<unknown> {
  if (typeof given !== 'string' || !/^data:/i.test(given)) return given
  if (given.length > REQUEST_LIMITS.dataUrlBytes) throw tooLarge(name, PHOTO_LIMITS.bytes)
  return photoOfDataUrl(name, new TextEncoder().encode(given))
}
