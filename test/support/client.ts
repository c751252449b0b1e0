/** A small client of the API for tests and benchmarks, and the sample photos that they send. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Folder of the sample photos, which are part of an npm package. */
export const SAMPLES = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '@vladmandic',
  'face-api',
  'demo',
)

/** The file sample1.jpg to sample6.jpg. */
export const sample = async (number: 1 | 2 | 3 | 4 | 5 | 6): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(join(SAMPLES, `sample${number}.jpg`)))

export type Field = string | Uint8Array<ArrayBuffer> | { bytes: Uint8Array<ArrayBuffer>; name: string }

/** A multipart form. Bytes become a file; undefined fields are left out. */
export function form(fields: Record<string, Field | undefined>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (typeof value === 'string') data.append(name, value)
    else if (value instanceof Uint8Array) data.append(name, new File([value], `${name}.jpg`))
    else data.append(name, new File([value.bytes], value.name))
  }
  return data
}

export interface Answered {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests check the JSON of a server
  body: any
}

export type Send = (
  method: string,
  path: string,
  body?: BodyInit | object,
  headers?: HeadersInit,
) => Promise<Answered>

/**
 * A client for an origin with a token. `timeoutMs` bounds each request. A plain object is sent as JSON. The body of a picture is
 * returned as text.
 */
export const clientOf =
  (origin: string, token: string | undefined, timeoutMs?: number): Send =>
  async (method, path, body, headers = {}) => {
    const all = new Headers(headers)
    if (token !== undefined && !all.has('authorization')) all.set('authorization', `Token ${token}`)
    const init: RequestInit = { method, headers: all }
    if (timeoutMs !== undefined) init.signal = AbortSignal.timeout(timeoutMs)
    if (body !== undefined) init.body = isPlain(body) ? asJson(body, all) : (body as BodyInit)
    const response = await fetch(origin + path, init)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : isPicture(response) ? text : JSON.parse(text),
    }
  }

const isPicture = ({ headers }: Response) => headers.get('content-type') === 'image/jpeg'

const isPlain = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype

function asJson(body: object, headers: Headers) {
  if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  return JSON.stringify(body)
}
