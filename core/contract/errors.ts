/** The one table of errors: code -> HTTP status and public reason. */

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
  PHOTO_UNREACHABLE: { status: 400, reason: 'The photo URL could not be fetched.' },
  NO_FACES: { status: 400, reason: 'No face was found on the photo.' },
  TOO_MANY_FACES: { status: 400, reason: 'Too many faces' },
  LOW_QUALITY: { status: 400, reason: 'The picture of a face is not good enough.' },
  LIVENESS_FAILED: { status: 400, reason: 'A face looks like a print or a screen.' },
  NOT_FOUND: { status: 404, reason: 'There is nothing here by that name.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    reason: 'This path does not have this method.',
  },
  GALLERY_EXISTS: { status: 409, reason: 'A gallery of that name exists already.' },
  FACE_EXISTS: { status: 409, reason: 'The gallery has a face of that id already.' },
  WRONG_DIMENSION: { status: 400, reason: 'The vector is not as long as those of the gallery.' },
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
  INTERNAL_ERROR: { status: 500, reason: 'Something went wrong on our side.' },
  SERVICE_UNAVAILABLE: { status: 503, reason: 'A needed part of the service is away. Try again.' },
} as const

export type ErrorCode = keyof typeof ERRORS

/** Those that only the store's own interface answers, never the API. */
export const STORE_CODES = [
  'FACE_EXISTS',
  'WRONG_DIMENSION',
  'BAD_VECTOR',
  'STORE_FULL',
] as const satisfies ErrorCode[]

/** Refusals of what is no request of the API: they come before an operation is known, so no operation documents them. */
export const TRANSPORT_CODES = [
  'BAD_REQUEST',
  'REQUEST_TIMEOUT',
  'EXPECTATION_FAILED',
  'HEADERS_TOO_LARGE',
] as const satisfies ErrorCode[]

/** What an error may tell the caller beyond its code. Nothing of a photo or an embedding belongs here. */
export interface ErrorDetail {
  /** Replaces the table's reason. Written for a person, never taken from another error's message. */
  reason?: string
  /** The offending parameter, and its value as text. */
  param?: string
  value?: unknown
  /** Boxes of the faces found: only with TOO_MANY_FACES. */
  faces?: readonly unknown[]
  /** Whole seconds after which it may be tried again, where that is known: a header of the answer. */
  retryAfter?: number
  /** The methods of a path, with METHOD_NOT_ALLOWED: a header of the answer. */
  allow?: readonly string[]
}

/** An error that the caller may be told of. Whatever else is thrown is answered as INTERNAL_ERROR. */
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

/** BAD_PARAM for one parameter: why, in a sentence that a person can act upon. */
export const badParam = (param: string, value: unknown, reason: string): ServiceError =>
  new ServiceError('BAD_PARAM', { param, value, reason })

/** BAD_PARAM for a value that is not what was expected: a phrase such as "a whole number from 1 to 9". */
export const unexpected = (param: string, value: unknown, expected: string): ServiceError =>
  badParam(param, value, `${param}: expected ${expected}, got ${described(value)}.`)

/** A value that a caller sent, as a person reads it in a sentence. */
const described = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return 'nothing'
  if (typeof value === 'object' && !isPlain(value)) return 'a file'
  if (typeof value !== 'string') return shown(value, 80)
  return isDataUrl(value) ? 'a data: URL' : JSON.stringify(cut(value, 80))
}

/** A value that a caller sent, as text short enough to send back. Files and data URLs are not repeated. */
const shown = (value: unknown, longest = 200): string => {
  if (value === undefined) return ''
  if (typeof value === 'string' || (typeof value === 'object' && !isPlain(value)))
    return cut(String(brief(value)), longest)
  return cut(JSON.stringify(brief(value)) ?? '', longest)
}

/** Elements of a list or an object that are shown, and levels of them: 4 ** 5 values at most. */
const SHOWN_ELEMENTS = 5
const SHOWN_LEVELS = 4

/** The beginning of a value. Its size does not depend on the value's size. */
function brief(value: unknown, levels = SHOWN_LEVELS): unknown {
  if (typeof value === 'string') return isDataUrl(value) ? '(data: URL)' : cut(value, 200)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (!isPlain(value)) return '(binary)'
  if (levels === 0) return '...'
  const deeper = (element: unknown) => brief(element, levels - 1)
  if (Array.isArray(value)) return value.slice(0, SHOWN_ELEMENTS).map(deeper)
  const names = Object.keys(value).slice(0, SHOWN_ELEMENTS)
  return Object.fromEntries(names.map(name => [cut(name, 80), deeper(value[name as keyof typeof value])]))
}

const isDataUrl = (text: string): boolean => /^\s{0,9}data:/i.test(text)

const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}...` : text.toWellFormed()

const isPlain = (value: object | null): boolean =>
  value === null ||
  Array.isArray(value) ||
  Object.getPrototypeOf(value) === Object.prototype ||
  Object.getPrototypeOf(value) === null

/** The contract's JSON body of an error, and its HTTP status. */
export function errorAnswer(error: unknown): { status: number; body: Record<string, unknown> } {
  const known = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR')
  const { status, reason } = ERRORS[known.code]
  const { detail } = known
  if (known.code === 'TOO_MANY_FACES') {
    const faces = detail.faces ?? []
    return { status, body: { code: 400, faces, reason: `${reason}: ${faces.length}` } }
  }
  return {
    status,
    body: {
      code: known.code,
      reason: detail.reason ?? reason,
      ...(detail.param === undefined ? {} : { param: detail.param }),
      ...(known.code === 'BAD_PARAM' ? { value: shown(detail.value) } : {}),
    },
  }
}
