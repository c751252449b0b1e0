/** Parameters as fields of a form or a query, and as segments of a path; photos, and boxes. */
import type { Box } from './types.ts'

/** Parameters by their names in the API. Undefined ones are left out. */
export type Fields = Readonly<Record<string, unknown>>

/** Text of a value: scalars as they are, structures and null as JSON. */
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const given = (fields: Fields): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => value !== undefined)

/** A JSON field of a form keeps the type of its value: a text stays a text. */
const JSON_FIELDS = ['detectorParams']

/** A form with photos and parameters. Throws what `appendPhoto` throws. */
export async function formOf(photos: [name: string, photo: Photo][], fields: Fields): Promise<FormData> {
  const form = new FormData()
  for (const [name, photo] of photos) await appendPhoto(form, name, photo)
  for (const [name, value] of given(fields))
    form.append(name, JSON_FIELDS.includes(name) ? JSON.stringify(value) : textOf(value))
  return form
}

/** A query string with its question mark; empty without parameters. */
export function queryOf(fields: Fields): string {
  const query = new URLSearchParams(given(fields).map(([name, value]) => [name, textOf(value)]))
  return query.size === 0 ? '' : `?${query}`
}

/** A name as a segment of a path. Throws TypeError for a name that would address another path. */
export function segment(name: string | number): string {
  if (['', '.', '..'].includes(String(name)))
    throw new TypeError('Expected a name or an id, got "", "." or "..".')
  return encodeURIComponent(name)
}

/**
 * A photo: bytes, a Blob or File, a URL that the service fetches (a `URL`, or text that begins with `http://`, `https://` or
 * `data:`), or any other text: the path of a file, in Node. JPEG, PNG or WEBP, at most 10 MB.
 */
export type Photo = Blob | Uint8Array | ArrayBuffer | URL | string

/** Adds a photo to a form. Throws the error of the file system for an unreadable path, and TypeError for a path outside Node. */
export async function appendPhoto(form: FormData, name: string, photo: Photo): Promise<void> {
  if (photo instanceof Blob) {
    form.append(name, photo, 'name' in photo ? String(photo.name) : 'photo')
  } else if (photo instanceof URL && photo.protocol !== 'file:') {
    form.append(name, photo.href)
  } else if (typeof photo === 'string' && /^(?:https?:|data:)/i.test(photo)) {
    form.append(name, photo)
  } else if (typeof photo === 'string' || photo instanceof URL) {
    form.append(name, new Blob([await bytesOfFile(photo)]), fileName(photo))
  } else if (photo instanceof ArrayBuffer || photo instanceof Uint8Array) {
    form.append(name, new Blob([photo as ArrayBuffer]), 'photo')
  } else {
    throw new TypeError(`${name}: expected a path, a URL, a Blob or bytes.`)
  }
}

/** The service stores the name with an enrolled face. */
const fileName = (path: string | URL): string =>
  (path instanceof URL ? decodeURIComponent(path.pathname) : path).split(/[\\/]/).at(-1) || 'photo'

/** A bundler for browsers would fail at a literal name of a Node module. */
const FILES: string = 'node:fs/promises'

async function bytesOfFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>> {
  const isNode = typeof process === 'object' && typeof process.versions?.node === 'string'
  if (!isNode)
    throw new TypeError('A path of a file needs Node. Pass a Blob, a File, bytes or the URL of the photo.')
  const { readFile } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ FILES)) as {
    readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>
  }
  return readFile(path)
}

/** The box of a key, for example `[177, 155, 252, 251]`. Throws TypeError for another text. */
export function boxOf(key: string): Box {
  const [x1, y1, x2, y2] = (/^\[(-?\d+), (-?\d+), (-?\d+), (-?\d+)\]$/.exec(key) ?? []).slice(1).map(Number)
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined)
    throw new TypeError('key: expected four numbers as in `[177, 155, 252, 251]`.')
  return { x1, y1, x2, y2 }
}
