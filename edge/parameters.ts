/** Query string + JSON, form or multipart body -> one plain record. Nothing else reads a body. */
import {
  MaxFileSizeExceededError,
  MaxTotalSizeExceededError,
  parseMultipart,
} from '@remix-run/multipart-parser'
import { badParam, ServiceError } from '../core/contract/errors.ts'
import { LIMITS } from '../core/contract/limits.ts'
import type { Visit } from './admission.ts'
import { readBody } from './body.ts'

/** A multipart part that was sent as a file, or whose bytes are no text. */
export class Upload {
  readonly bytes: Uint8Array
  /** As the client named it; "" when it did not. */
  readonly name: string

  constructor(bytes: Uint8Array, name: string) {
    this.bytes = bytes
    this.name = name
  }
}

/** A text, the parts or values of a repeated key, an upload, or any JSON value of a JSON body. */
export type Parameters = Record<string, unknown>

export interface Sent {
  parameters: Parameters
  /** Names of those that a JSON body brought: their values have types, while all others come as text. */
  typed: ReadonlySet<string>
}

/** All parameters of a request. The body wins over the query; `key[]` is `key`; a repeated key is a list. */
export async function readParameters(request: Request, visit: Visit): Promise<Sent> {
  const query = gather(new URL(request.url).searchParams)
  const { parameters, typed } = await bodyParameters(request, visit)
  return { parameters: { ...query, ...parameters }, typed }
}

const ofText = (parameters: Parameters): Sent => ({ parameters, typed: new Set() })

async function bodyParameters(request: Request, visit: Visit): Promise<Sent> {
  const body = await readBody(request, visit)
  if (body.length === 0) return ofText({})
  const [type = '', ...attributes] = (request.headers.get('content-type') ?? '').split(';')
  switch (type.trim().toLowerCase()) {
    case 'multipart/form-data':
      return ofText(multipartParameters(body, boundaryOf(attributes.join(';'))))
    case 'application/x-www-form-urlencoded':
      return ofText(gather(new URLSearchParams(decodeText(body))))
    case 'application/json':
      return jsonParameters(body)
    default:
      // Clients that send JSON without saying so are understood; other bodies hold no parameters.
      return body[0] === '{'.charCodeAt(0) ? jsonParameters(body) : ofText({})
  }
}

function jsonParameters(body: Uint8Array): Sent {
  let value: unknown
  try {
    value = JSON.parse(decodeText(body))
  } catch (cause) {
    throw new ServiceError('MALFORMED_JSON', {}, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('MALFORMED_JSON')
  // gather() keeps keys such as __proto__ out of the prototype and knows `galleries[]`.
  const parameters = gather(Object.entries(value))
  return { parameters, typed: new Set(Object.keys(parameters)) }
}

function multipartParameters(body: Uint8Array, boundary: string): Parameters {
  const parts: [string, unknown][] = []
  try {
    const options = {
      boundary,
      maxFileSize: LIMITS.photoBytes,
      maxTotalSize: LIMITS.bodyBytes,
      maxParts: 1000,
    }
    for (const part of parseMultipart(fromFirstBoundary(body, boundary), options)) {
      const name = part.name
      if (name === undefined) continue
      const { bytes, filename } = part
      const isFile = filename !== undefined && part.mediaType?.toLowerCase() !== 'application/json'
      parts.push([name, isFile ? new Upload(bytes, filename) : partValue(bytes, filename)])
    }
  } catch (cause) {
    if (cause instanceof MaxFileSizeExceededError || cause instanceof MaxTotalSizeExceededError)
      throw new ServiceError('PHOTO_TOO_LARGE', {}, { cause })
    const reason = 'The multipart body is not well-formed.'
    throw new ServiceError('BAD_PARAM', { param: 'body', value: '', reason }, { cause })
  }
  return gather(parts)
}

/**
 * A part without a file name, or JSON, which browsers send as a file "blob": text, unless its bytes can't be, as when a
 * client uploads a photo with no name.
 */
function partValue(bytes: Uint8Array, filename = ''): string | Upload {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new Upload(bytes, filename)
  }
}

function boundaryOf(attributes: string): string {
  const match = /(?:^|;)\s*boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(attributes)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw badParam('body', '', 'The multipart body names no boundary.')
  return boundary
}

/** Without the preamble that RFC 2046 allows before the first boundary and the parser does not. */
function fromFirstBoundary(body: Uint8Array, boundary: string): Uint8Array {
  const head = new TextDecoder('latin1').decode(body.subarray(0, 4096))
  const at = head.indexOf(`--${boundary}`)
  return at > 0 ? body.subarray(at) : body
}

const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Pairs -> record: `key[]` is `key`, and a key that comes more than once holds a list. */
function gather(pairs: Iterable<readonly [string, unknown]>): Parameters {
  const record = new Map<string, unknown>()
  const repeated = new Set<string>()
  for (const [rawKey, value] of pairs) {
    const key = rawKey.endsWith('[]') ? rawKey.slice(0, -2) : rawKey
    if (!record.has(key)) record.set(key, value)
    else if (repeated.has(key)) (record.get(key) as unknown[]).push(value)
    else {
      record.set(key, [record.get(key), value])
      repeated.add(key)
    }
  }
  return Object.fromEntries(record)
}
