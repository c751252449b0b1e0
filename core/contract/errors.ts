/** The one table of errors: code -> HTTP status and public reason. */

export const ERRORS = {
  AUTH_FAILED: { status: 401, reason: 'The token is missing or not valid.' },
  FORBIDDEN: { status: 403, reason: 'The token does not allow this operation.' },
  BAD_PARAM: { status: 400, reason: 'A parameter is missing or invalid.' },
  MALFORMED_JSON: { status: 400, reason: 'The body is not a valid JSON object.' },
  BAD_IMAGE: { status: 400, reason: 'The photo is not a readable JPEG, PNG or WEBP image.' },
  PHOTO_TOO_LARGE: { status: 413, reason: 'The photo or the request body is too large.' },
  PHOTO_UNREACHABLE: { status: 400, reason: 'The photo URL could not be fetched.' },
  NO_FACES: { status: 400, reason: 'No face was found on the photo.' },
  TOO_MANY_FACES: { status: 400, reason: 'Too many faces' },
  NOT_FOUND: { status: 404, reason: 'There is nothing here by that name.' },
  GALLERY_EXISTS: { status: 409, reason: 'A gallery of that name exists already.' },
  FACE_EXISTS: { status: 409, reason: 'The gallery has a face of that id already.' },
  WRONG_DIMENSION: { status: 400, reason: 'The vector is not as long as those of the gallery.' },
  BAD_VECTOR: {
    status: 400,
    reason: 'The body is not a vector of little-endian float32: finite, and not all zeros.',
  },
  STORE_FULL: { status: 503, reason: 'The disk of the store is full.' },
  RATE_LIMITED: { status: 429, reason: 'Too many requests. Try again later.' },
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

/** A value that a caller sent, as text short enough to send back: bytes and long texts are not repeated. */
const shown = (value: unknown): string => {
  if (value === undefined) return ''
  if (typeof value === 'object' && value !== null && !isPlain(value)) return '(binary)'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}

const isPlain = (value: object): boolean =>
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
