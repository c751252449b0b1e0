/** Query string + JSON, form, multipart or image body -> one plain record. Nothing else reads a body. */
import { badParam, ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import type { Permit } from '../admission/admission.ts'
import { readBody } from '../http/body.ts'
import { isDataUrl, photoOfDataUrl } from '../http/encodings/data-url.ts'
import { readForm } from '../http/encodings/form.ts'
import { jsonNames } from '../http/encodings/json.ts'
import { boundaryOf } from '../http/encodings/multipart.ts'
import { readParts } from '../http/encodings/multipart-fields.ts'
import { type FieldSet, fieldSet, repeated } from '../http/encodings/named-fields.ts'
import { Upload } from '../http/encodings/upload.ts'
import type { KnownParameters } from './known-parameters.ts'

/** A text, lists and objects of texts, an upload, or any JSON value of a JSON body. */
export type RequestParameters = Record<string, unknown>

export interface Sent {
  /** Those that the operation knows. */
  parameters: RequestParameters
  /** Names of those that a JSON body brought: their values have types, while all others come as text. */
  typed: ReadonlySet<string>
  /** Names of parameters whose text came in a file. Answers never repeat that text. */
  fromFiles: ReadonlySet<string>
  /** Names that the operation does not know. */
  unknown: ReadonlySet<string>
}

type Brought = Partial<Sent>

/** All parameters of a request that its operation knows. The body wins over the query. */
export async function readParameters(
  request: Request,
  permit: Permit,
  known: KnownParameters,
): Promise<Sent> {
  const query = await formParameters(
    new TextEncoder().encode(new URL(request.url).search.slice(1)),
    known,
    'query',
  )
  const body = await bodyParameters(request, permit, known)
  return {
    parameters: { ...query.parameters, ...body.parameters },
    typed: body.typed ?? new Set(),
    fromFiles: body.fromFiles ?? new Set(),
    unknown: new Set([...(query.unknown ?? []), ...(body.unknown ?? [])]),
  }
}

async function bodyParameters(request: Request, permit: Permit, known: KnownParameters): Promise<Brought> {
  if (!request.body) return {}
  const [type = '', ...attributes] = (request.headers.get('content-type') ?? '').split(';')
  const mediaType = type.trim().toLowerCase()
  if (mediaType === 'multipart/form-data')
    return readParts(request, permit, boundaryOf(attributes.join(';')), known)
  if (mediaType.startsWith('image/') && known.photos.length > 0)
    return imageParameters(request, permit, known)
  const most = LIMITS.plainBodyBytes + known.photos.length * LIMITS.dataUrlBytes
  const body = await readBody(request, permit, { most })
  if (mediaType === 'application/x-www-form-urlencoded') return formParameters(body, known, 'body')
  // Clients that send JSON without saying so are understood; other bodies hold no parameters.
  if (mediaType === 'application/json' || body[0] === OPENING_BRACE) return jsonParameters(body, known)
  return {}
}

const OPENING_BRACE = 0x7b

/** The photo itself as the body, where an operation takes one photo. */
async function imageParameters(request: Request, permit: Permit, known: KnownParameters): Promise<Brought> {
  const [photo = '', another] = known.photos
  if (another !== undefined)
    throw badParam(photo, '', `${photo}: expected a multipart file, a URL or a data: URL. ${TWO_PHOTOS}`)
  const bytes = await readBody(request, permit, { most: LIMITS.photoBytes })
  return bytes.length === 0 ? {} : { parameters: { [photo]: new Upload(bytes, '') } }
}

const TWO_PHOTOS = 'A body of type image/* holds one photo, and this operation takes two.'

async function formParameters(bytes: Uint8Array, known: KnownParameters, source: string): Promise<Brought> {
  const fields = fieldSet(known, source)
  await readForm(bytes, (name, value) => putText(fields, textOf(source, name), value, known))
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

/** BAD_PARAM when it is not UTF-8. */
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

async function jsonParameters(body: Uint8Array, known: KnownParameters): Promise<Brought> {
  if (body.length === 0) return {}
  const names = await jsonNames(body)
  if (names === undefined) throw badParam('body', '', TOO_MUCH_JSON)
  const value = parseJson(body)
  const parameters = new Map<string, unknown>()
  const unknown = new Set<string>()
  refuseRepeated(names, known)
  for (const [key, given] of Object.entries(value)) {
    const name = bare(key)
    if (!known.kinds.has(name)) {
      if (!known.unused.has(name)) unknown.add(name.slice(0, LIMITS.parameterNameLength))
    } else if (known.photos.includes(name)) parameters.set(name, await photoOf(name, given))
    else parameters.set(name, given)
  }
  return { parameters: Object.fromEntries(parameters), typed: new Set(parameters.keys()), unknown }
}

const TOO_MUCH_JSON =
  `body: expected at most ${LIMITS.requestFields} names, ${LIMITS.jsonValues} values and ` +
  `${LIMITS.nestingLevels} levels in each parameter.`

/** `galleries[]` is `galleries`. */
const bare = (name: string): string => (name.endsWith('[]') ? name.slice(0, -2) : name)

/** JSON.parse keeps the last of several members of one name, and does not tell. */
function refuseRepeated(names: readonly Uint8Array[], known: KnownParameters): void {
  const met = new Set<string>()
  for (const bytes of names) {
    if (bytes.length > LIMITS.parameterNameLength) continue
    const name = bare(String(JSON.parse(new TextDecoder().decode(bytes))))
    if (known.kinds.has(name) && met.has(name)) throw repeated(name)
    met.add(name)
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

/** A data: URL is the photo itself; what else is given is checked later. */
async function photoOf(name: string, given: unknown): Promise<unknown> {
  if (typeof given !== 'string' || !/^data:/i.test(given)) return given
  if (given.length > LIMITS.dataUrlBytes) throw new ServiceError('PHOTO_TOO_LARGE')
  return photoOfDataUrl(name, new TextEncoder().encode(given))
}
