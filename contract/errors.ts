/** The table of errors: code -> HTTP status and public reason. */
import { isBase64, isDataUrl } from './photo-text.ts'
import { maskedUrl } from './url-credentials.ts'

export const ERRORS = {
  AUTH_FAILED: {
    status: 401,
    reason:
      'The token is missing or not valid. Expected the header "Authorization: Token <token>" or "Authorization: Bearer <token>".',
  },
  FORBIDDEN: { status: 403, reason: 'The token does not allow this operation.' },
  BAD_PARAM: { status: 400, reason: 'A parameter is missing or invalid.' },
  MALFORMED_JSON: { status: 400, reason: 'The body is not a valid JSON object.' },
  BAD_IMAGE: { status: 400, reason: 'The photo is not a readable JPEG, PNG or WEBP image.' },
  PHOTO_TOO_LARGE: { status: 413, reason: 'The photo or the request body is too large.' },
  PHOTO_UNREACHABLE: {
    status: 400,
    reason:
      'The photo URL could not be fetched. It must be public and answer 200 with the photo, without a redirect. The operator can allow hosts that are not public in MIEN_PHOTO_HOSTS.',
  },
  NO_FACES: { status: 400, reason: 'No face was found on the photo.' },
  TOO_MANY_FACES: { status: 400, reason: 'Too many faces' },
  LOW_QUALITY: { status: 400, reason: 'The picture of a face is not good enough.' },
  LIVENESS_FAILED: { status: 400, reason: 'A face looks like a print or a screen.' },
  NOT_FOUND: { status: 404, reason: 'Not found.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    reason: 'The request body has a Content-Encoding, such as gzip. Send it as it is, without this header.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    reason: 'This path does not have this method.',
  },
  GALLERY_EXISTS: { status: 409, reason: 'A gallery of that name exists already.' },
  CAMERA_TAKEN: { status: 409, reason: 'Another watcher watches this camera.' },
  FACE_EXISTS: { status: 409, reason: 'The gallery has a face of that id already.' },
  WRONG_DIMENSION: { status: 400, reason: 'The vector is not as long as the vectors of the gallery.' },
  BAD_VECTOR: {
    status: 400,
    reason: 'The body is not a vector of little-endian float32: finite, and not all zeros.',
  },
  STORE_FULL: { status: 503, reason: 'The disk of the store is full.' },
  RATE_LIMITED: { status: 429, reason: 'Too many requests. Try again later.' },
  BAD_REQUEST: { status: 400, reason: 'The request is not valid HTTP/1.1.' },
  REQUEST_TIMEOUT: { status: 408, reason: 'The request did not arrive in time.' },
  EXPECTATION_FAILED: { status: 417, reason: 'The only expectation that is supported is 100-continue.' },
  HEADERS_TOO_LARGE: { status: 431, reason: 'The request line and headers are too large.' },
  INTERNAL_ERROR: { status: 500, reason: 'Internal error.' },
  OUTCOME_UNKNOWN: {
    status: 504,
    reason:
      'The answer was lost, and the change may be stored or not. A repeat with the same Idempotency-Key is safe. Without one, look at the data before you repeat.',
  },
  SERVICE_UNAVAILABLE: { status: 503, reason: 'A required component is unavailable. Try again.' },
} as const

export type ErrorCode = keyof typeof ERRORS

/** Codes of the store interface. The API never returns them. */
export const STORE_CODES = [
  'FACE_EXISTS',
  'WRONG_DIMENSION',
  'BAD_VECTOR',
  'STORE_FULL',
] as const satisfies ErrorCode[]

/** Codes returned before the operation of a request is known. No operation documents them. */
export const TRANSPORT_CODES = [
  'BAD_REQUEST',
  'REQUEST_TIMEOUT',
  'EXPECTATION_FAILED',
  'HEADERS_TOO_LARGE',
] as const satisfies ErrorCode[]

/** Details of an error for the caller. They never contain data of a photo or an embedding. */
export interface ErrorDetail {
  /** Replaces the reason of the table. Written for people, never copied from the message of another error. */
  reason?: string
  /** The invalid parameter. `value` is its value as sent. */
  param?: string
  value?: unknown
  /** Boxes of the detected faces. Only with TOO_MANY_FACES. */
  faces?: readonly unknown[]
  /** Seconds until a retry makes sense, a whole number. Becomes the header Retry-After. */
  retryAfter?: number
  /** Methods of the path. Only with METHOD_NOT_ALLOWED. Become the header Allow and a part of the reason. */
  allow?: readonly string[]
}

/** An error whose code and detail are returned to the caller. Other errors are returned as INTERNAL_ERROR. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly detail: ErrorDetail

  constructor(code: ErrorCode, detail: ErrorDetail = {}, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.detail = detail
  }
}

/** BAD_PARAM for one parameter. `reason` is a sentence that says what to change. */
export const badParam = (param: string, value: unknown, reason: string): ServiceError =>
  new ServiceError('BAD_PARAM', { param, value, reason })

/** BAD_PARAM for an unexpected value. `expected` is a phrase, for example "a whole number from 1 to 9". */
export const wrongValue = (param: string, value: unknown, expected: string): ServiceError =>
  badParam(param, value, `${param}: expected ${expected}, got ${phraseOf(value)}.`)

/** PHOTO_TOO_LARGE. `what` begins the sentence, for example "The request body". `most` is the limit in bytes. */
export const tooLarge = (what: string, most: number): ServiceError =>
  new ServiceError('PHOTO_TOO_LARGE', { reason: `${what} exceeds the limit of ${most / 2 ** 20} MB.` })

/** A value of the caller as part of a sentence. */
const phraseOf = (value: unknown) => {
  if (value === undefined || value === null || value === '') return 'nothing'
  if (typeof value === 'object' && !isPlain(value)) return 'a file'
  if (typeof value !== 'string') return textOf(value, 80)
  if (isDataUrl(value)) return 'a data: URL'
  return isBase64(value) ? 'base64' : JSON.stringify(cutText(value, 80))
}

/** A value of the caller as short text for a response. Files, data URLs and base64 are replaced by a label. */
const textOf = (value: unknown, longest = 200) => {
  if (value === undefined) return ''
  if (typeof value === 'string' || (typeof value === 'object' && !isPlain(value)))
    return cutText(String(beginningOf(value)), longest)
  return cutText(JSON.stringify(beginningOf(value)) ?? '', longest)
}

/** Shown elements of a list or an object, and shown levels: at most 5 ** 4 values. */
const SHOWN_ELEMENTS = 5
const SHOWN_LEVELS = 4

/** The beginning of a value. Its size is bounded, whatever the size of the value. */
function beginningOf(value: unknown, levels = SHOWN_LEVELS): unknown {
  if (typeof value === 'string' && isDataUrl(value)) return '(data: URL)'
  if (typeof value === 'string') return isBase64(value) ? '(base64)' : cutText(value, 200)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (!isPlain(value)) return '(binary)'
  if (levels === 0) return '...'
  const deeper = (element: unknown) => beginningOf(element, levels - 1)
  if (Array.isArray(value)) return value.slice(0, SHOWN_ELEMENTS).map(deeper)
  const names = Object.keys(value).slice(0, SHOWN_ELEMENTS)
  return Object.fromEntries(names.map(name => [cutText(name, 80), deeper(value[name as keyof typeof value])]))
}

/** Characters of a URL that are searched for credentials. */
const MASKED_CHARACTERS = 10_000

/** The beginning of a text. A URL has no credentials. */
function cutText(text: string, longest: number) {
  const shown = /^\s{0,9}[a-z][a-z0-9+.-]{0,30}:\/\//i.test(text)
    ? maskedUrl(text.slice(0, MASKED_CHARACTERS))
    : text
  return shown.length > longest ? `${shown.slice(0, longest).toWellFormed()}...` : shown.toWellFormed()
}

const isPlain = (value: object | null) =>
  value === null ||
  Array.isArray(value) ||
  Object.getPrototypeOf(value) === Object.prototype ||
  Object.getPrototypeOf(value) === null

/** Methods as a phrase: "DELETE, GET or PUT". HEAD is left out: it goes with GET. */
const choiceOf = (methods: readonly string[]) =>
  methods
    .filter(method => method !== 'HEAD')
    .join(', ')
    .replace(/, (\w+)$/, ' or $1')

/**
 * HTTP status and JSON body of an error, as the contract defines them. TOO_MANY_FACES has a number as its `code`, which the
 * contract demands, and its text in `error_code`.
 */
export function errorAnswer(error: unknown): { status: number; body: Record<string, unknown> } {
  const known = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR')
  const { status, reason } = ERRORS[known.code]
  const { detail } = known
  if (known.code === 'TOO_MANY_FACES') {
    const faces = detail.faces ?? []
    const text = `${reason}: ${faces.length}`
    return { status, body: { code: 400, faces, reason: text, error_code: known.code } }
  }
  return {
    status,
    body: {
      code: known.code,
      reason: detail.reason ?? (detail.allow ? `${reason} Use ${choiceOf(detail.allow)}.` : reason),
      ...(detail.param === undefined ? {} : { param: detail.param }),
      ...(known.code === 'BAD_PARAM' ? { value: textOf(detail.value) } : {}),
    },
  }
}
