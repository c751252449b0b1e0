/** Photos of any kind as a part of a multipart form. */

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
const fileName = (path: string | URL): string => String(path).split(/[\\/]/).at(-1) || 'photo'

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
